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

    assert lines(picker, paper()) == ["Model", "› offline  /model offline"]


def test_a_listed_todo_names_the_plan_it_came_from_and_that_it_is_everybodys():
    item = replace(todo("ship it"), id=3, artifact_id=1)
    result = TodoList((item,), Progress(0, 1), {"pending": 1}, {1: "login"})

    assert lines(result, paper())[1:] == ["  ○ #3 ship it (workspace) → artifact: login"]
