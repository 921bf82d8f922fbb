from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from agent.commands.completion import mentions_files
from agent.commands.errors import CommandError
from agent.commands.results import Confirm, Table, Text, TodoList
from agent.todos.actors import USER, Actor
from agent.todos.drafts import Draft
from agent.todos.moves import ABOVE
from agent.todos.service import TodoService
from tests.agent.commands.desk import Desk, desk


@pytest.fixture
async def typing(tmp_path: Path) -> AsyncGenerator[Desk, None]:
    async with desk(tmp_path) as opened:
        yield opened


def service(typing: Desk) -> TodoService:
    return typing.context.opened.session.agenda.service


def statuses(typing: Desk) -> dict[str, str]:
    return {todo.title: todo.status for todo in service(typing).snapshot.todos}


async def fill(typing: Desk) -> None:
    shop = typing.context.opened.workshop
    plan = await shop.artifacts.create(USER, "Auth rework", "plan", "1. design")
    drafts = [
        Draft("design the login", status="completed"),
        Draft("build the login", status="in_progress", priority="high", artifact_id=plan.id),
        Draft("write docs", status="blocked", blocked_reason="no text yet"),
        Draft("ship", priority="low"),
        Draft("old idea", status="cancelled"),
        Draft("shared work", workspace_wide=True),
    ]
    await service(typing).add(USER, drafts)


@pytest.mark.parametrize(
    ("wanted", "titles"),
    [
        ("", {"build the login", "write docs", "ship", "shared work", "design the login", "old idea"}),
        ("open", {"build the login", "write docs", "ship", "shared work"}),
        ("pending", {"ship", "shared work"}),
        ("in_progress", {"build the login"}),
        ("in-progress", {"build the login"}),
        ("blocked", {"write docs"}),
        ("completed", {"design the login"}),
        ("done", {"design the login"}),
        ("cancelled", {"old idea"}),
        ("high", {"build the login"}),
        ("@auth", {"build the login"}),
        ("@1", {"build the login"}),
        ("login", {"build the login"}),
        ("all login", {"design the login", "build the login"}),
        ("high @auth login in_progress", {"build the login"}),
        ("blocked completed", {"write docs", "design the login"}),
        ('all "old idea"', {"old idea"}),
    ],
)
async def test_the_plan_is_filtered(typing: Desk, wanted: str, titles: set[str]) -> None:
    await fill(typing)

    result = await typing.type(f"/todos {wanted}")

    assert isinstance(result, TodoList)
    assert {todo.title for todo in result.todos} == titles
    assert (result.progress.completed, result.progress.total) == (1, 5)
    assert result.counts == {"pending": 2, "in_progress": 1, "blocked": 1, "completed": 1, "cancelled": 1}


async def test_a_finished_plan_is_shown_whole(typing: Desk) -> None:
    await typing.type("/todo add tidy up")
    await typing.type("/todo done 1")

    shown = await typing.read("/todos")

    assert shown.splitlines() == [
        "████████████████████ 1/1 · 1 completed",
        "  #1 [completed] tidy up",
    ]


async def test_the_list_names_artifacts_reasons_and_the_workspace(typing: Desk) -> None:
    await fill(typing)

    shown = await typing.read("/todos")

    assert shown.splitlines() == [
        "████░░░░░░░░░░░░░░░░ 1/5 · 2 pending · 1 in progress · 1 blocked · 1 completed · 1 cancelled",
        "▶ #2 [in_progress] build the login (high) → artifact: Auth rework",
        "  #4 [pending] ship (low)",
        "  #6 [pending] shared work (workspace)",
        "  #3 [blocked] write docs (blocked: no text yet)",
        "  #5 [cancelled] old idea",
        "  #1 [completed] design the login",
    ]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("/todos", "there are no todos yet; /todo add TITLE adds one"),
        ("/todos zebra", "no todo matches 'zebra'; /todos shows all of them"),
        ("/todos log", "nothing has changed yet; /todo add TITLE makes a start"),
    ],
)
async def test_an_empty_plan_says_what_to_do(typing: Desk, line: str, said: str) -> None:
    assert await typing.read(line) == said


@pytest.mark.parametrize(
    ("line", "same"), [("/todo", "/todos"), ("/todo list", "/todos"), ("/todo list high", "/todos high")]
)
async def test_listing_by_the_verb_shows_the_plan_as_ever(typing: Desk, line: str, same: str) -> None:
    await service(typing).add(
        USER,
        [Draft("review", status="in_progress"), Draft("write"), Draft("file it", workspace_wide=True)],
    )

    assert await typing.read(line) == await typing.read(same)


async def test_every_verb_changes_the_plan(typing: Desk) -> None:
    for line in (
        "/todo add first thing",
        "/todo add -w shared thing",
        "/todo add third thing\nwith notes\non two lines\n/endtodo",
        "/todo start 1",
        "/todo done first",
        "/todo block #3: the key is missing",
        "/todo cancel shared",
        "/todo subject 3: third, renamed",
        "/todo describe 3: other notes",
    ):
        await typing.type(line)

    known = service(typing).snapshot.by_id
    assert statuses(typing) == {
        "first thing": "completed",
        "shared thing": "cancelled",
        "third, renamed": "blocked",
    }
    assert (known[2].session_id, known[3].notes, known[3].blocked_reason) == (
        None,
        "other notes",
        "the key is missing",
    )
    await typing.type("/todo priority third: high")
    assert (await service(typing).current()).by_id[3].priority == "high"
    await typing.type("/todo reopen 1 2")
    await typing.type("/todo move 1 under 3")
    assert (await service(typing).current()).by_id[1].parent_id == 3
    await typing.type("/todo delete 3")
    assert statuses(typing) == {"shared thing": "pending"}
    await typing.type("/todo undo")
    assert len(statuses(typing)) == 3


async def test_the_block_form_keeps_its_lines(typing: Desk) -> None:
    await typing.type("/todo add write it\nline one\n\nline two\n/endtodo")

    assert service(typing).snapshot.todos[0].notes == "line one\n\nline two"


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("/todo done 99", "no todo #99"),
        ("/todo done nothing like it", "no todo begins with"),
        ("/todo add x\nbody without end", "missing /endtodo terminator"),
        ("/todo add", "/todo add needs [-w] TITLE; for example /todo add Buy milk"),
        ("/todo strat 1", "no command 'strat'; did you mean start"),
        ("/todo block 1", "block needs a todo and its text"),
        ("/todo move 1 sideways", "move needs a todo and a place"),
        ("/todos @", "@ needs the name or number of an artifact"),
        ("/todos log many", "'many' is no COUNT; write /todos log [COUNT]"),
        ("/todos log 0", "'0' is no COUNT"),
        ("/todos undo", "there is nothing to undo"),
    ],
)
async def test_a_bad_line_names_the_thing_and_writes_nothing(typing: Desk, line: str, complaint: str) -> None:
    with pytest.raises(CommandError) as refused:
        await typing.type(line)

    assert complaint in str(refused.value)
    assert statuses(typing) == {}


async def test_an_ambiguous_title_asks_for_the_id(typing: Desk) -> None:
    await service(typing).add(USER, [Draft("write a"), Draft("write b")])

    with pytest.raises(CommandError, match="2 todos begin with 'write'"):
        await typing.type("/todo done write")


async def test_the_log_and_undo_name_author_and_time(typing: Desk) -> None:
    await service(typing).add(Actor("agent:build"), [Draft("one")])
    await typing.type("/todo add two")

    log = await typing.read("/todos log")
    undone = await typing.read("/todos undo")
    again = await typing.read("/todos undo")

    assert [row.split("  ")[1] for row in log.splitlines()[1:3]] == ["agent:build", "user       "[:4]]
    assert undone.startswith("undone: added #2 two (user, ")
    assert again.startswith("undone: added #1 one (agent:build, ")
    assert "(undone)" in await typing.read("/todos log")
    assert len((await typing.read("/todos log 1")).splitlines()) == 3


async def test_todos_are_completed_by_id_and_title_for_the_verb(typing: Desk) -> None:
    await fill(typing)

    assert await typing.offered("/todo start ") == ["4", "6", "3"]
    assert await typing.offered("/todo done bu") == ["2"]
    assert await typing.offered("/todo done 4 6 doc") == ["3"]
    assert await typing.offered("/todo reopen old") == ["5"]
    assert await typing.offered("/todo describe ship") == ["4: "]
    assert await typing.offered("/todo priority ship") == ["4"]
    assert await typing.offered("/todo priority 4 h") == ["high"]
    assert await typing.offered("/todo move 4 be") == ["before"]
    assert await typing.offered("/todo move 4 before #2") == ["2"]
    assert (await typing.offered("/todo st"))[0] == "start"
    found = (await typing.complete("/todo cancel ship"))[0]
    assert (found.label, found.detail, found.start) == ("#4 ship", "pending", len("/todo cancel "))
    assert await typing.offered("/todos @") == ["@1"]


PLAN = "# Move house\n\n1. pack boxes\n   - kitchen\n   - books\n2. drive\n"


async def test_a_plan_in_prose_is_previewed_and_becomes_todos_once(typing: Desk, tmp_path: Path) -> None:
    (tmp_path / "project" / "move.md").write_text(PLAN)

    preview = await typing.type("/plan import move.md")
    assert preview == Confirm(
        "Make these the todos of 'Move house'?",
        "- pack boxes\n  - kitchen\n  - books\n- drive",
        "/plan finalise 1 1",
    )
    assert statuses(typing) == {}

    assert isinstance(preview, Confirm)
    assert await typing.read(preview.line) == "4 todos added from 'Move house'; /todos shows the plan"
    assert set(statuses(typing)) == {"pack boxes", "kitchen", "books", "drive"}
    assert "has become todos already" in await typing.read("/plan finalise")
    assert "→ artifact: Move house" in await typing.read("/todos")


async def test_a_plan_that_changed_after_its_preview_is_shown_again(typing: Desk) -> None:
    artifacts = typing.context.opened.workshop.artifacts
    plan = await artifacts.create(USER, "p", "plan", "1. one")
    await artifacts.update(USER, plan.id, "1. one\n2. two")

    with pytest.raises(CommandError, match="was changed meanwhile; look again: /plan finalise 1"):
        await typing.type("/plan finalise 1 1")


async def test_a_plan_is_shown(typing: Desk) -> None:
    artifacts = typing.context.opened.workshop.artifacts
    await artifacts.create(USER, "first", "plan", "1. one")
    await artifacts.create(USER, "second", "plan", "1. two")

    assert "plan 2 'second' (draft, version 1)\n\n1. two\n\nOther plans: 1 first" in await typing.read(
        "/plan"
    )
    assert "1. one" in await typing.read("/plan #1")
    assert await typing.offered("/plan sec") == ["2"]


async def test_markdown_goes_out_and_comes_back(typing: Desk, tmp_path: Path) -> None:
    await service(typing).add(USER, [Draft("one", status="completed"), Draft("two")])
    file = tmp_path / "project" / "plan.md"

    assert await typing.type("/plan export plan.md") == Text(
        "2 todos are in plan.md; /plan import brings them back"
    )
    file.write_text(file.read_text().replace("[ ] two", "[x] two") + "- [ ] three\n")
    assert "2 todos added or changed" in await typing.read("/plan import plan.md")
    assert "0 todos added or changed" in await typing.read("/plan import plan.md")

    assert statuses(typing) == {"one": "completed", "two": "completed", "three": "pending"}
    question = await typing.type("/plan export plan.md")
    assert isinstance(question, Confirm)
    assert "- [x] one" in file.read_text()
    await typing.type(question.line)
    assert "- [ ] three" in file.read_text()


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("/plan", "there is no written plan; /todos shows the list"),
        ("/plan 7", "no artifact 7"),
        ("/plan finalise", "there is no written plan"),
        ("/plan import", "/plan import needs FILE; for example /plan import plan.md"),
        ("/plan import gone.md", "No such file or directory; check the path"),
        ("/plan import prose.md", "prose.md has no list of steps; write them as"),
        ("/plan import binary.md", "is no UTF-8 text"),
        ("/plan export nowhere/x.md", "No such file or directory"),
    ],
)
async def test_a_bad_plan_is_refused(typing: Desk, tmp_path: Path, line: str, complaint: str) -> None:
    (tmp_path / "project" / "prose.md").write_text("Just words.\n")
    (tmp_path / "project" / "binary.md").write_bytes(b"\xff\xfe\x00")

    with pytest.raises(CommandError) as refused:
        await typing.type(line)

    assert complaint in str(refused.value)


async def test_files_are_completed(typing: Desk, tmp_path: Path) -> None:
    project = tmp_path / "project"
    (project / "docs").mkdir()
    (project / "docs" / "my plan.md").touch()
    (project / ".hidden").touch()

    assert await typing.offered("/plan import ") == ["docs/"]
    assert await typing.offered("/plan import docs/pl") == ['"docs/my plan.md"']
    assert await typing.offered("/plan import .hi") == [".hidden"]
    assert await typing.offered("/plan import nowhere/") == []
    assert await typing.offered("/plan export x.md ") == ["overwrite"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("/todo describe 4: at noon", "notes set: #4 [pending] ship (low)"),
        ("/todo move ship top", f"not moved, {ABOVE}: #4 [pending] ship (low)"),
        ("/todo move ship under 2", "moved under #2: #4 [pending] ship (low)"),
        ("/todo move ship up", f"not moved, {ABOVE}: #4 [pending] ship (low)"),
    ],
)
async def test_a_change_that_no_list_shows_is_said(typing: Desk, line: str, said: str) -> None:
    await fill(typing)

    assert await typing.read(line) == said


async def test_one_todo_is_shown_with_its_notes_and_its_history(typing: Desk) -> None:
    await fill(typing)
    await typing.type("/todo describe ship: in the morning\nwith the new key")
    await typing.type("/todo move ship under build")

    shown = await typing.type("/todo show ship")

    assert isinstance(shown, Table)
    facts = [row for row in shown.rows if not row[0][:1].isdigit()]
    assert facts == [
        ("todo", "#4 ship"),
        ("status", "pending"),
        ("priority", "low"),
        ("notes", "in the morning\nwith the new key"),
        ("part of", "#2 build the login"),
    ]
    assert [row[1] for row in shown.rows[len(facts) :]][:2] == ["user: added", "user: changed notes"]


@pytest.mark.parametrize(
    ("typed", "files"),
    [
        ("/todos @re", False),
        ("/todo list open @", False),
        ("/todo add read @re", True),
        ("/nothing @re", True),
    ],
)
async def test_an_at_sign_in_a_filter_names_no_file(typing: Desk, typed: str, files: bool) -> None:
    assert mentions_files(typing.context, typed) is files
    assert await typing.offered(typed) == []
