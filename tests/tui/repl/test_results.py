from dataclasses import replace

from agent.commands.results import Option, Picker, Table, TodoList
from store.records import Progress
from tests.store.drafts import todo
from tests.tui.repl.papers import bare, paper
from tui.repl.paper import Paper
from tui.repl.plan import Plan
from tui.repl.results import shown

FORMS = Table((), (("/todo done TODO…|all", "Complete"), ("/todo undo", "Take the newest change back")))


def lines(result: Table | Picker | TodoList, on: Paper) -> list[str]:
    return bare(shown(result, on, Plan(on), words=False)).rstrip("\n").split("\n")


def test_columns_stand_below_each_other_whatever_letters_there_are():
    assert lines(FORMS, paper(unicode=False)) == [
        "/todo done TODO...|all  Complete",
        "/todo undo              Take the newest change back",
    ]


def test_a_narrow_terminal_has_what_is_said_below_its_name():
    assert lines(FORMS, paper(width=28)) == [
        "/todo done TODO…|all",
        "  Complete",
        "/todo undo",
        "  Take the newest change",
        "  back",
    ]


def test_a_choice_without_details_has_no_empty_column():
    picker = Picker("Model", (Option("/model offline", "offline", current=True),))

    assert lines(picker, paper()) == ["Model", "› offline", "/model NAME chooses one"]


def test_a_choice_is_one_line_and_says_once_how_to_choose():
    title = "what are the largest files of this project, and who made them?"
    picker = Picker(
        "Sessions",
        (Option("/resume 01A", title, "idle, 3 s ago", current=True), Option("/resume 01B", "b", "dormant")),
    )

    assert lines(picker, paper(width=60)) == [
        "Sessions",
        "› what are the largest files of this pr…  idle, 3 s ago  01A",
        "  b                                       dormant        01B",
        "/resume with the last word of a line chooses it",
    ]
    assert lines(picker, paper(width=40))[1:4] == [
        "› what are the largest files of this pr…",
        "  idle, 3 s ago",
        "  01A",
    ]


def test_a_long_choice_is_cut_short():
    picker = Picker("Model", tuple(Option(f"/model m{n}", f"m{n}") for n in range(70)))

    assert len(lines(picker, paper())) == 52
    assert lines(picker, paper())[-1] == "and 20 more; /model and the tab key show them"


def test_short_names_keep_their_column_on_a_narrow_terminal():
    table = Table((), (("model", "offline"), ("agent", "build")))

    assert lines(table, paper(width=40)) == ["model  offline", "agent  build"]


def test_a_listed_todo_names_the_plan_it_came_from_and_that_it_is_everybodys():
    item = replace(todo("ship it"), id=3, artifact_id=1)
    result = TodoList((item,), Progress(0, 1), {"pending": 1}, {1: "login"})

    assert lines(result, paper())[1:] == ["  ○ #3 ship it (workspace) → artifact: login"]


def test_a_number_that_a_line_begins_with_is_not_said_again():
    picker = Picker(
        "Back to", (Option("/rewind 2", "2  tidy up", "now"), Option("/rewind 1", "1  hello", "then"))
    )

    assert lines(picker, paper()) == [
        "Back to",
        "  2  tidy up  now",
        "  1  hello    then",
        "/rewind with the first word of a line chooses it",
    ]


def test_more_lines_of_a_fact_stand_below_the_first():
    notes = Table((), (("status", "pending"), ("notes", "first\nsecond")))

    for on in (paper(), paper(styled=False)):
        assert lines(notes, on) == ["status  pending", "notes   first", "        second"]
