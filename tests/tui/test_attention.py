from dataclasses import replace

import pytest
from textual import events

from agent.events import Event, Notice, QuestionAsked, SessionStateChanged, TurnEnded
from store.records import Progress, Usage
from tui.attention import Presence, calls_for, notification, window_title
from tui.status import Status

WORKING = Status("running", "working", "", 0, 25, "m", "build", 0.0)
PLANNED = replace(WORKING, progress=Progress(3, 3))
RESTING = Status("idle", "held", "", 0, 25, "m", "build", 0.0)


@pytest.mark.parametrize(
    ("event", "before", "said"),
    [
        (QuestionAsked("q1", "permission", "run make", ()), WORKING, "Wakeful asks: run make"),
        (Notice("info", "all done · 3/3"), WORKING, "Wakeful: all done · 3/3"),
        (SessionStateChanged("idle", "25/25 wakes used"), WORKING, "Wakeful waits: 25/25 wakes used"),
        (SessionStateChanged("idle", "held"), RESTING, ""),
        (
            SessionStateChanged("dormant", "bad key", 0, 25, "type to continue", "failed"),
            WORKING,
            "Wakeful stopped: bad key",
        ),
        (SessionStateChanged("dormant", "nothing open"), WORKING, "Wakeful has answered"),
        (SessionStateChanged("dormant", "nothing open"), PLANNED, ""),
        (SessionStateChanged("dormant", "nothing open"), RESTING, ""),
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


@pytest.mark.parametrize(
    ("heard", "seconds", "doubtful"),
    [
        (None, 14, False),
        (None, 16, True),
        (events.Key("a", "a"), 14, False),
        (events.Key("a", "a"), 16, True),
        (events.Paste("words"), 14, False),
        (events.AppFocus(), 16, False),
        (events.AppBlur(), 16, False),
    ],
)
def test_where_no_focus_is_told_keys_tell_who_is_there(
    heard: events.Event | None, seconds: int, doubtful: bool
):
    moment = 100.0
    presence = Presence(lambda: moment)
    moment += 10 if heard else 0
    if heard:
        presence.notice(heard)

    moment += seconds

    assert presence.doubtful is doubtful
