"""What stands around the list: heading, strip, work, foot, and where all of it is shown."""

from pathlib import Path

import pytest

from agent.events import TaskFinished, TaskProgress, TaskStarted, TurnStarted
from agent.tools.tool import Job
from store.records import Progress
from tests.attacks import attacks
from tests.tui.plan.plans import ASCII, INK, texts, todo
from tui.plan.editor import Typed
from tui.plan.foot import Saying, foot
from tui.plan.heading import State, bar, heading
from tui.plan.memory import NAME, NARROWEST, WIDEST, Shape, keep, recall
from tui.plan.place import Whereabouts
from tui.plan.strip import strip_line
from tui.plan.vacancy import vacancy
from tui.plan.work import MOST, Child, Work, work_rows
from tui.transcript.wrapping import cells


def test_the_heading_counts_and_measures():
    lines = texts(heading(State(Progress(6, 10)), 37, INK))

    assert lines == [
        " Plan                           6/10",
        " ━━━━━━━━━━━━━━━━━────────────  60 %",
        "",
    ]


@pytest.mark.parametrize(
    ("completed", "percent"),
    [(0, "0 %"), (1, "0 %"), (333, "33 %"), (667, "67 %"), (999, "99 %"), (1000, "100 %")],
)
def test_only_what_is_all_done_is_called_so(completed: int, percent: str):
    assert texts([bar(Progress(completed, 1000), 37, INK)])[0].endswith(f" {percent}")


def test_nothing_planned_is_not_measured():
    assert texts(heading(State(), 37, INK)) == [" Plan", "", ""]


def test_a_filter_stands_below_with_what_it_found():
    state = State(Progress(0, 9), filter="high", found=3)

    assert texts(heading(state, 37, INK))[2] == " /high                       3 found"


def test_of_a_long_filter_the_end_stays_in_sight():
    state = State(Progress(0, 9), typed=Typed("sprint:one two three four five six seven"))

    line = heading(state, 24, INK)[2]

    assert texts([line])[0].endswith("seven")
    assert cells(line) <= 24


def test_the_strip_says_what_is_being_done():
    line = strip_line(todo(3, "Fix the loop", status="in_progress"), Progress(2, 6), 80, INK)

    assert texts([line]) == ["  ▶ 2/6 · Fix the loop · ctrl+t"]


def test_the_strip_gives_up_the_title_first():
    current = todo(3, "Fix the loop that never ends", status="in_progress")

    assert texts([strip_line(current, Progress(2, 6), 32, INK)]) == ["  ▶ 2/6 · Fix the lo… · ctrl+t"]
    assert texts([strip_line(current, Progress(2, 6), 20, INK)]) == ["  ▶ 2/6"]
    assert texts([strip_line(todo(3, status="completed"), Progress(6, 6), 80, INK)]) == [
        "  ✓ 6/6 · all done · ctrl+t"
    ]


def test_subagents_and_jobs_have_sections_of_their_own():
    work = Work()
    for event in (
        TaskStarted("c1", "explore", "find callers"),
        TaskProgress("c1", "reading", 8),
        TaskStarted("c2", "general", "write docs"),
        TaskFinished("c2", "failed", "no"),
    ):
        work = work.heard(event)
    work = work.running([Job(1, "npm run dev", None, 65.0), Job(2, "true", 0, 1.0)])

    assert texts(work_rows(work, 37, INK)) == [
        "",
        " Agents",
        " ◌ explore  find callers     8 tools",
        " ✗ general  write docs       0 tools",
        "",
        " Background",
        " ◌ npm run dev                 1 min",
    ]


def test_what_has_ended_is_gone_with_the_next_turn():
    work = Work((Child("c1", "explore", "a", status="completed"), Child("c2", "explore", "b")))

    assert work.heard(TurnStarted(1, "human")).children == (Child("c2", "explore", "b"),)
    assert work_rows(Work(), 37, INK) == []


def test_many_subagents_leave_room_for_the_plan():
    work = Work(tuple(Child(str(number), "explore", f"job {number}") for number in range(MOST + 3)))

    lines = texts(work_rows(work, 37, INK))

    assert len(lines) == MOST + 3
    assert lines[-1] == "   and 3 more"
    assert "job 7" in lines[-2]


def test_keys_are_never_parted_from_their_words():
    lines = texts(foot(Saying(), (("space", "tick"), ("n", "new"), ("enter", "details")), 22, INK))

    assert lines == ["", " space tick     n new", " enter details"]
    assert foot(Saying(), (), 22, INK) == []


def test_keys_stand_in_columns():
    keys = (
        ("enter", "details"),
        ("s", "start"),
        ("n", "new"),
        ("space", "tick"),
        ("e", "edit"),
        ("b", "block"),
    )

    assert texts(foot(Saying(), keys, 36, INK)) == [
        "",
        " enter details  s start  n new",
        " space tick     e edit   b block",
    ]


def test_keys_of_any_length_are_all_there():
    keys = tuple((f"ctrl+shift+{letter}", "does it") for letter in "ab") + tuple(
        zip("cdefgh", "stuvwx", strict=True)
    )

    assert texts(foot(Saying(), keys, 26, INK)) == [
        "",
        " ctrl+shift+a does it",
        " ctrl+shift+b does it",
        " c s  d t  e u  f v  g w",
        " h x",
    ]


def test_what_was_said_is_followed_by_the_keys_for_it():
    said = Saying("deleted #8 " + "a title of many words " * 9, keys=(("u", "undoes it"),))

    lines = texts(foot(said, (("n", "new"),), 37, INK))

    assert lines[1].startswith(" deleted #8")
    assert lines[-1] == " u undoes it"
    assert len(lines) == 6


def test_an_error_takes_the_place_of_the_keys():
    lines = foot(Saying("no todo #9; the list is empty", failed=True), (("n", "new"),), 37, INK)

    assert texts(lines) == ["", " no todo #9; the list is empty"]
    assert lines[1][1][1] == INK.style("error", "panel")


@pytest.mark.parametrize("attack", attacks("escape", "command-display", "path"), ids=lambda each: each.id)
def test_no_text_leaves_its_line(attack: object):
    text = getattr(attack, "text")[:300]  # noqa: B009 - pytest hands it over untyped
    work = Work((Child("c", text, text),), (Job(1, text, None, 1.0),))

    lines = [
        strip_line(todo(1, text), Progress(0, 1), 60, INK),
        *work_rows(work, 37, INK),
        *foot(Saying(text), (), 37, INK),
        *heading(State(filter=text), 37, INK),
    ]

    assert all(line.isprintable() for line in texts(lines))
    assert all(cells(line) <= 60 for line in lines)


def test_without_unicode_no_sign_of_ours_needs_it():
    work = Work(
        tuple(Child(status, "a", "b", 1, status) for status in ("", "completed", "failed", "interrupted"))
    )
    lines = [
        *heading(State(Progress(3, 9), filter="x"), 37, ASCII),
        *work_rows(work, 37, ASCII),
        strip_line(todo(1, status="in_progress"), Progress(3, 9), 60, ASCII),
        *vacancy(ASCII, 37, filtered=False, focused=True),
    ]

    assert "".join(texts(lines)).isascii()


@pytest.mark.parametrize(
    ("here", "shown"),
    [
        (Whereabouts(planned=True, columns=120), "beside"),
        (Whereabouts(planned=False, columns=120), ""),
        (Whereabouts(planned=False, called=True, columns=120), "beside"),
        (Whereabouts(planned=True, wanted=False, columns=120), ""),
        (Whereabouts(planned=True, columns=80), "strip"),
        (Whereabouts(planned=True, wanted=False, columns=80), "strip"),
        (Whereabouts(planned=False, columns=80), ""),
        (Whereabouts(planned=True, called=True, columns=80), "over"),
    ],
)
def test_the_plan_is_in_one_place_at_a_time(here: Whereabouts, shown: str):
    assert [name for name in ("beside", "over", "strip") if getattr(here, name)] == ([shown] if shown else [])


def test_a_look_at_the_overlay_does_not_decide_about_the_sidebar():
    hidden = Whereabouts(planned=True, wanted=False, columns=80)

    looked = hidden.toggled()

    assert looked.over
    assert looked.toggled() == hidden


def test_the_sidebar_is_remembered(tmp_path: Path):
    keep(tmp_path / "state", Shape(44, wanted=False, folded=True))

    assert recall(tmp_path / "state") == Shape(44, wanted=False, folded=True)
    assert (tmp_path / "state" / NAME).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("text", ["", "[]", "{", '{"width": "x", "wanted": 3}', '{"width": 9999}', "\0"])
def test_whatever_was_kept_there_is_a_sidebar(tmp_path: Path, text: str):
    (tmp_path / NAME).write_text(text)

    assert recall(tmp_path) == Shape()


def test_a_disk_that_is_full_only_forgets(tmp_path: Path):
    (tmp_path / "file").write_text("")

    keep(tmp_path / "file" / "below", Shape())


def test_the_sidebar_can_be_neither_lost_nor_all_there_is():
    assert Shape().wider(-100, 120).width == NARROWEST
    assert Shape().wider(500, 200).width == WIDEST
    assert Shape().wider(500, 120).width == 60
    assert Shape(WIDEST).wider(-2, 120).width == 58


@pytest.mark.parametrize(("columns", "width"), [(100, 38), (120, 38), (180, 45), (200, 50), (400, 52)])
def test_the_sidebar_grows_with_the_window_until_it_was_dragged(columns: int, width: int):
    assert Shape().width_in(columns) == width
    assert Shape(30).width_in(columns) == 30
    assert Shape().wider(2, columns).width == width + 2
