from dataclasses import replace
from random import Random

import pytest

from store.records import BlockedOn, Priority, Spent, Stretch, TodoStatus
from tests.attacks import attacks
from tests.tui.plan.plans import ASCII, INK, NOW, drawn, sight, texts, todo
from tui.plan.drawing import clock, draw, height, typed_rows
from tui.plan.editor import Typed
from tui.plan.rows import Group, Item, Names
from tui.transcript.wrapping import cells

STATUSES: tuple[TodoStatus, ...] = ("pending", "in_progress", "blocked", "completed", "cancelled")


@pytest.mark.parametrize(
    ("status", "mark"),
    [("pending", "○"), ("in_progress", "▶"), ("blocked", "■"), ("completed", "✓"), ("cancelled", "–")],
)
def test_every_status_has_its_mark(status: TodoStatus, mark: str):
    assert drawn(Item(todo(14, "Fix the loop", status=status))) == [
        f" {mark} Fix the loop                  #14"
    ]


def test_states_differ_in_weight_and_colour():
    styles = {status: draw(Item(todo(1, "x", status=status)), sight())[0][4][1] for status in STATUSES}

    assert styles["in_progress"] == INK.style("accent", "panel", "bold")
    assert styles["pending"] == INK.style("text", "panel")
    assert styles["completed"] == INK.style("dim", "panel")
    assert styles["cancelled"] == INK.style("dim", "panel", "strike")


def test_the_current_one_says_how_long_it_has_been_worked_on():
    row = Item(todo(3, "Reproduce", status="in_progress", spent=Spent(milliseconds=125_000)))

    assert drawn(row) == [" ▶ Reproduce                2 min #3"]


@pytest.mark.parametrize(
    ("stretch", "time"),
    [
        (None, "40 s"),
        (Stretch(3, 5_000), "45 s"),
        (Stretch(3, 5_000, NOW - 10_000), "55 s"),
        (Stretch(4, 5_000, NOW - 10_000), "40 s"),
    ],
)
def test_the_clock_runs_while_somebody_works_on_it(stretch: Stretch | None, time: str):
    row = Item(todo(3, "Reproduce", status="in_progress", spent=Spent(milliseconds=40_000)))

    lines = draw(row, replace(sight(), stretch=stretch))

    assert texts(lines) == [f" ▶ Reproduce                 {time} #3"]


def test_a_long_title_hangs_below_itself_and_ends_after_three_lines():
    row = Item(todo(3, "Release it on every path, also when the refresh itself fails half way " * 2), level=1)

    assert drawn(row, 30) == [
        "   ○ Release it on every    #3",
        "     path, also when the",
        "     refresh itself fails hal…",
    ]  # fmt: skip


def test_a_blocked_one_says_why_below():
    waiting = Item(todo(4, "Bump", status="blocked", blocked_reason="which version?", blocked_on="human"))
    held = Item(todo(4, "Bump", status="blocked", blocked_reason="CI is red", blocked_on="external"))

    assert drawn(waiting)[1] == "   which version?"
    assert draw(waiting, sight())[0][2][1] == INK.style("waiting", "panel")
    assert draw(held, sight())[0][2][1] == INK.style("text", "panel")


def test_what_it_waits_for_and_leads_to_stands_below_while_it_is_open():
    names = Names({7: "Login design"})
    row = Item(todo(4, artifact_id=7, depends_on=(2, 3)), waits=(2, 3))
    done = Item(todo(4, artifact_id=7, status="completed"))

    assert drawn(row, names=names)[1] == "   after #2, #3 · → Login design"
    assert len(drawn(done, names=names)) == 1


def test_priority_workspace_and_folded_subtasks_are_marked_at_the_edge():
    assert drawn(Item(todo(4, priority="high")))[0].endswith(" ↑ #4")
    assert drawn(Item(todo(4, session_id=None)))[0].endswith(" ⌂ #4")
    assert drawn(Item(todo(4), hidden=3, parent=True))[0].endswith(" ▸3 #4")
    assert drawn(Item(todo(4, priority="low")))[0].endswith(" ↓ #4")
    assert drawn(Item(todo(4, priority="low", status="completed")))[0].endswith("  #4")


def test_what_is_least_urgent_is_not_as_dim_as_what_is_finished():
    low, done = (
        draw(Item(each), sight())[0][4][1] for each in (todo(4, priority="low"), todo(4, status="completed"))
    )

    assert low == INK.style("text", "panel")
    assert low != done


def test_figures_narrow_only_the_line_they_stand_in():
    title = "Replace the hand-written session expiry check with a single reading"
    row = Item(
        todo(1, title, status="in_progress", priority="high", spent=Spent(milliseconds=19_000)), hidden=3
    )

    assert drawn(row) == [
        " ▶ Replace the          19 s ▸3 ↑ #1",
        "   hand-written session expiry check",
        "   with a single reading",
    ]


def test_the_line_above_what_is_finished_counts_it():
    assert drawn(Group(12, 0, folded=True)) == ["", " ✓ 12 done ▸"]
    assert drawn(Group(12, 2, folded=False, gap=False)) == [" ✓ 12 done, 2 cancelled ▾"]
    assert drawn(Group(0, 1, folded=False, gap=False)) == [" – 1 cancelled ▾"]


def test_without_unicode_no_sign_of_ours_needs_it():
    names = Names({7: "naïve → plan"})
    rows: list[Item | Group] = [Group(1, 1, folded=True)]
    rows += [
        Item(todo(4, "café", status=status, artifact_id=7, session_id=None, priority="high"), 1, (2,), 3)
        for status in STATUSES
    ]

    shown = "".join("".join(drawn(row, ink=ASCII, names=names)) for row in rows)

    assert shown.isascii()


def test_the_height_of_a_row_is_the_number_of_its_lines():
    seed = 6
    random = Random(seed)
    letters = "a bc déf 漢字 👩‍👩‍👧 e\u0301\u0301 "
    priorities: tuple[Priority, ...] = ("high", "medium", "low")
    blockers: tuple[BlockedOn, ...] = ("human", "todo", "external")
    for round_ in range(2_000):
        status = random.choice(STATUSES)
        row = Item(
            todo(
                random.choice((1, 12, 12345)),
                "".join(random.choices(letters, k=random.randint(1, 200))),
                status=status,
                priority=random.choice(priorities),
                blocked_reason="".join(random.choices(letters, k=90)) if status == "blocked" else None,
                blocked_on=random.choice(blockers),
                spent=Spent(milliseconds=random.randint(0, 10**9)),
                artifact_id=random.choice((None, 7)),
                session_id=random.choice((None, "s")),
            ),
            level=random.randint(0, 4),
            waits=random.choice(((), (2, 3))),
            hidden=random.choice((0, 12)),
        )
        seen = sight(random.randint(1, 80), names=Names({7: "design"}), dense=random.random() < 0.3)

        lines = draw(row, seen)

        assert len(lines) == height(row, seen), (seed, round_, row, seen.width)
        if seen.width > 24:
            assert all(cells(line) <= seen.width for line in lines), (seed, round_, row, seen.width)


@pytest.mark.parametrize("attack", attacks("escape", "command-display", "path"), ids=lambda each: each.id)
def test_no_text_leaves_its_row(attack: object):
    text = getattr(attack, "text")[:400]  # noqa: B009 - pytest hands it over untyped
    row = Item(todo(1, text, status="blocked", blocked_reason=text, artifact_id=7))

    lines = draw(row, sight(names=Names({7: text})))

    assert len(lines) == height(row, sight(names=Names({7: text})))
    assert all(line.isprintable() for line in texts(lines))
    assert all(cells(line) <= 36 for line in lines)


def test_what_is_typed_shows_its_cursor_and_keeps_its_spaces():
    typed = Typed("fix  the ", "loop")

    lines = typed_rows(typed, sight(), Item(todo(1), level=1))

    assert texts(lines) == ["▌  ○ fix  the loop"]
    assert [text for text, style in lines[0] if style.reverse] == ["l"]
    assert texts(typed_rows(Typed("a new one"), sight())) == ["▌○ a new one"]


@pytest.mark.parametrize(
    ("typed", "lines"),
    [
        (Typed("look at the line"), ["▌○ look at the", "▌  line"]),
        (Typed("look at ", "the line"), ["▌○ look at the", "▌  line"]),
        (Typed("look at the lin"), ["▌○ look at the", "▌  lin"]),
        (Typed("one two three   "), ["▌○ one two three", "▌"]),
        (Typed("incomprehensibly"), ["▌○ incomprehensi", "▌  bly"]),
        (Typed("漢字漢字漢字漢字"), ["▌○ 漢字漢字漢字", "▌  漢字"]),
    ],
)
def test_what_is_typed_is_broken_between_words(typed: Typed, lines: list[str]):
    shown = typed_rows(typed, sight(17))

    assert texts(shown) == lines
    assert sum(1 for line in shown for _, style in line if style.reverse) == 1


def test_what_the_user_started_has_no_time_before_an_agent_works_on_it():
    mine = todo(1, "Call the bank", status="in_progress", started_at=NOW - 125_000)
    metered = replace(mine, spent=Spent(milliseconds=4_000))

    assert drawn(Item(mine)) == [" ▶ Call the bank                  #1"]
    assert drawn(Item(metered)) == [" ▶ Call the bank              4 s #1"]


SECOND, MINUTE, HOUR = 1_000, 60_000, 3_600_000


@pytest.mark.parametrize("width", [24, 36, 60])
def test_a_growing_time_leaves_the_title_where_it_is(width: int):
    title = "Write the release notes of the next version"
    times = [0, 500, 9 * SECOND, 10 * SECOND, MINUTE, 59 * MINUTE, HOUR, 9 * HOUR, 30 * HOUR, 400 * 24 * HOUR]

    rows = [
        drawn(Item(todo(1, title, status="in_progress", spent=Spent(milliseconds=each))), width)
        for each in times
    ]

    room = len(rows[0][0].removesuffix("#1").rstrip())
    assert len({(lines[0][:room], *lines[1:]) for lines in rows}) == 1


@pytest.mark.parametrize(
    ("time", "shown"),
    [
        (0, ""),
        (999, "0 s"),
        (59 * MINUTE, "59 min"),
        (65 * MINUTE, "1:05 h"),
        (47 * HOUR, "47 h"),
        (48 * HOUR, "2 d"),
    ],
)
def test_a_time_takes_six_cells_at_most(time: int, shown: str):
    assert clock(time) == shown
