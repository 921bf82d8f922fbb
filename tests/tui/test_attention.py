import pytest

from agent.events import Event, Notice, QuestionAsked, SessionStateChanged, TurnEnded
from store.records import Usage
from tui.attention import calls_for, notification, window_title
from tui.status import Status

WORKING = Status("running", "working", "", 0, 25, "m", "build", 0.0)
RESTING = Status("idle", "held", "", 0, 25, "m", "build", 0.0)


@pytest.mark.parametrize(
    ("event", "before", "said"),
    [
        (QuestionAsked("q1", "permission", "run make", ()), WORKING, "Wakeful asks: run make"),
        (Notice("info", "all done · 3/3"), WORKING, "Wakeful: all done · 3/3"),
        (SessionStateChanged("idle", "25/25 wakes used"), WORKING, "Wakeful waits: 25/25 wakes used"),
        (SessionStateChanged("idle", "held"), RESTING, ""),
        (TurnEnded("done", Usage(), 0.0), WORKING, ""),
    ],
)
def test_a_person_who_looks_elsewhere_is_called_for_what_needs_them(event: Event, before: Status, said: str):
    assert calls_for(event, before) == said


def test_a_title_cannot_end_its_own_sequence():
    hostile = "a\x1b]0;evil\x07b\x9cc\n\x1b\\d"

    for sequence in (window_title(hostile, WORKING), notification(hostile)):
        assert sequence[4:-2].isprintable()
        assert sequence.endswith("\x1b\\")


def test_the_title_says_whether_it_works_or_waits():
    assert "* wakeful: fix it" in window_title("fix it", WORKING)
    assert "2;wakeful: fix it" in window_title("fix it", RESTING)
