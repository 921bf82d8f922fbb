from agent.todos.journal import Entry
from tests.tui.plan.plans import INK, NOW, texts, todo
from tui.plan.details import Known, details
from tui.plan.rows import Names


def entry(actor: str, summary: str) -> Entry:
    return Entry(1, "todo.updated", actor, NOW, (1,), summary, False)


def shown(known: Known, width: int = 40) -> list[str]:
    return texts(details(known, width, INK, NOW))


def test_history_is_told_in_words():
    history = (
        entry("agent:build", "pending → in_progress"),
        entry("user", "title was: keep in_progress as it is"),
        entry("user", "in_progress → completed"),
    )

    lines = shown(Known(todo(1), {}, Names(), history))

    told = [line.partition("  ")[2].lstrip() for line in lines[lines.index(" History") + 1 :]]
    assert told == [
        "you",
        "in progress → completed",
        "you",
        "title was: keep in_progress as it is",
        "build",
        "pending → in progress",
    ]


def test_who_finished_it_is_named_as_people_say_it():
    done = todo(1, status="completed", completed_at=NOW, completed_by="agent:build")

    assert shown(Known(done, {}, Names(), ()))[1].endswith(" by build")


def test_what_goes_over_the_line_stays_below_its_beginning():
    first, second = todo(1), todo(2, "Look for the same mistake in all other places", depends_on=(1,))
    history = (entry("user", "title was: Look for the same mistake everywhere"),)

    lines = shown(Known(first, {1: first, 2: second}, Names(), history), 30)

    at = lines.index(" Holds up")
    assert lines[at + 1 : at + 3] == [" ○ #2 Look for the same", "   mistake in all other"]
    assert lines[-2:] == ["   title was: Look for the", "   same mistake everywhere"]
