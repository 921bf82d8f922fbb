import asyncio
from pathlib import Path

import pytest

from agent.commands.errors import CommandError
from agent.commands.results import Diff, Draft, Picker, Text
from agent.events import SessionStateChanged
from agent.models.scripted import Scripted, said
from agent.todos import drafts
from agent.todos.actors import USER
from tests.agent.commands.desk import Desk, desk


def model() -> Scripted:
    return Scripted(
        [
            said("", ("write", {"path": "a.txt", "content": "one\ntwo\n"})),
            said("ok"),
            said(
                "",
                ("edit", {"path": "a.txt", "old": "two", "new": "2"}),
                ("shell", {"command": "chmod 755 a.txt"}),
            ),
            said("ok"),
        ]
    )


async def worked(typing: Desk) -> None:
    await typing.stage.ask("make a file")
    await typing.stage.ask("change   it\nwith care")


async def test_nothing_said_is_nothing_to_go_back_to(tmp_path: Path):
    async with desk(tmp_path) as typing:
        assert await typing.read("/rewind") == "there is nothing to go back to"
        assert await typing.read("/diff") == "the session changed nothing"
        with pytest.raises(CommandError, match="no message 3 to go back to; nothing is left"):
            await typing.type("/rewind 3")
        with pytest.raises(CommandError, match="no rewind to take back; /rewind goes back"):
            await typing.type("/rewind undo")


async def test_a_message_is_picked_then_what_goes_back_and_its_text_can_be_sent_anew(tmp_path: Path):
    async with desk(tmp_path, model(), auto=True) as typing:
        await worked(typing)

        messages = await typing.type("/rewind")
        assert isinstance(messages, Picker)
        assert [(each.line, each.label) for each in messages.options] == [
            ("/rewind 2", "2  change it with care"),
            ("/rewind 1", "1  make a file"),
        ]
        assert "1 file, " in messages.options[0].detail
        assert await typing.offered("/rewind care") == ["2"]

        choices = await typing.type(messages.options[0].line)
        assert isinstance(choices, Picker)
        assert [each.line for each in choices.options] == [
            "/rewind 2 all",
            "/rewind 2 both",
            "/rewind 2 conversation",
            "/rewind 2 files",
            "/rewind 2 plan",
        ]
        assert choices.options[3].detail == "1 file put back"
        assert "(1 command ran since: what it did outside the project" in choices.title

        gone = await typing.type("/rewind 2 both")
        assert isinstance(gone, Draft)
        assert gone.text == "change   it\nwith care"
        assert "1 file put back: a.txt" in gone.note
        assert (tmp_path / "project" / "a.txt").read_text() == "one\ntwo\n"
        assert "3 messages brought back" in await typing.read("/rewind undo")
        assert "3 messages set aside" in await typing.read("/rewind redo")
        await typing.type("/rewind 1 conversation")
        assert await typing.read("/rewind") == (
            "there is nothing to go back to; /rewind undo takes the last rewind back"
        )


async def test_files_that_stay_are_named_before_and_after(tmp_path: Path):
    async with desk(tmp_path, model(), auto=True) as typing:
        await worked(typing)
        (tmp_path / "project" / "a.txt").write_text("mine now\n")

        choices = await typing.read("/rewind 1")
        gone = await typing.type("/rewind 1 files")

    assert "0 files put back; left as they are: a.txt" in choices
    assert isinstance(gone, Text)
    assert "left as it is: a.txt (changed by someone else since)" in gone.text


async def test_the_diff_is_of_all_of_one_message_or_of_a_path(tmp_path: Path):
    async with desk(tmp_path, model(), auto=True) as typing:
        await worked(typing)

        whole = await typing.type("/diff")
        since = await typing.read("/diff 2")
        assert await typing.read("/diff a.txt") == await typing.read("/diff")
        assert await typing.read("/diff other") == "the session changed nothing in other"
        (tmp_path / "project" / "a.txt").write_text("mine\n")
        also = await typing.type("/diff")

    assert isinstance(whole, Diff)
    assert whole.note == "1 file changed"
    assert whole.text == (
        "diff --git a/a.txt b/a.txt\nnew file mode 100755\n"
        "--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1,2 @@\n+one\n+2\n"
    )
    assert since.startswith("diff --git a/a.txt b/a.txt\nold mode 100644\nnew mode 100755\n--- a/a.txt\n")
    assert "-two\n+2" in since
    assert isinstance(also, Diff)
    assert also.note == "1 file changed; changed by someone else too: a.txt"


async def test_a_bad_form_says_how_it_is_written(tmp_path: Path):
    async with desk(tmp_path, model(), auto=True) as typing:
        await worked(typing)
        words = "all, both, conversation, files or plan"
        with pytest.raises(CommandError, match=f"'none' is not {words}; write /rewind"):
            await typing.type("/rewind 1 none")


def planner() -> Scripted:
    """The first message makes three todos, the second changes each in another way."""
    items = [{"title": "one"}, {"title": "two"}, {"title": "three", "notes": "as it was"}]
    return Scripted(
        [
            said("", ("todo_add", {"items": items})),
            said("planned"),
            said(
                "",
                ("todo_update", {"id": 1, "status": "completed"}),
                ("todo_update", {"id": 3, "title": "another", "notes": ""}),
                ("todo_add", {"items": [{"title": "four"}]}),
                ("todo_update", {"id": 4, "status": "in_progress"}),
            ),
            said("changed"),
        ]
    )


def plan(typing: Desk) -> list[tuple[int, str, str]]:
    todos = typing.context.opened.session.agenda.service.snapshot.by_id.values()
    return sorted((todo.id, todo.title, todo.status) for todo in todos)


BEFORE = [(1, "one", "pending"), (2, "two", "pending"), (3, "three", "pending")]
AFTER = [(1, "one", "completed"), (3, "another", "pending"), (4, "four", "in_progress")]


async def replanned(typing: Desk) -> None:
    await typing.stage.ask("plan it")
    await typing.stage.ask("change it")
    await typing.stage.opened.session.agenda.service.delete(USER, [2])
    assert plan(typing) == AFTER


@pytest.mark.parametrize("what", ["all", "plan"])
async def test_the_plan_goes_back_with_ids_and_history_and_comes_again(tmp_path: Path, what: str):
    async with desk(tmp_path, planner(), max_wakes=0) as typing:
        await replanned(typing)
        choices = await typing.type("/rewind 2")
        assert isinstance(choices, Picker)
        assert choices.options[-1].line == "/rewind 2 plan"
        assert choices.options[-1].detail == "4 todos taken back"

        await typing.type(f"/rewind 2 {what}")
        assert plan(typing) == BEFORE
        service = typing.stage.opened.session.agenda.service
        assert service.snapshot.by_id[3].notes == "as it was"
        assert len(await service.history_of(1)) == 3

        await typing.type("/rewind undo" if what == "all" else "/todos undo")
        assert plan(typing) == AFTER


async def test_a_rewind_of_the_plan_can_be_done_again_and_again(tmp_path: Path):
    async with desk(tmp_path, planner(), max_wakes=0) as typing:
        await replanned(typing)
        after = plan(typing)

        await typing.type("/rewind 1 all")
        assert plan(typing) == []
        for _ in range(2):
            await typing.type("/rewind undo")
            assert plan(typing) == after
            await typing.type("/rewind redo")
            assert plan(typing) == []


@pytest.mark.parametrize("what", ["both", "conversation", "files"])
async def test_without_a_word_for_it_the_plan_stays(tmp_path: Path, what: str):
    async with desk(tmp_path, planner(), max_wakes=0) as typing:
        await replanned(typing)
        after = plan(typing)

        await typing.type(f"/rewind 1 {what}")
        assert plan(typing) == after
        await typing.type("/rewind undo")
        assert plan(typing) == after


async def test_what_every_session_shares_stays_when_the_plan_goes_back(tmp_path: Path):
    async with desk(tmp_path, planner(), max_wakes=0) as typing:
        await typing.stage.ask("plan it")
        service = typing.stage.opened.session.agenda.service
        await service.add(USER, [drafts.Draft("for all", workspace_wide=True)])

        await typing.type("/rewind 1 plan")

        assert [title for _, title, _ in plan(typing)] == ["for all"]


@pytest.mark.parametrize("back", ["/rewind 1 all", "/rewind 1 plan"])
async def test_the_state_follows_a_plan_that_goes_back(tmp_path: Path, back: str):
    async with desk(tmp_path, planner(), max_wakes=0) as typing:
        session = typing.stage.opened.session
        await typing.stage.ask("plan it")
        with session.subscribe() as heard:
            running = asyncio.create_task(session.run(until_idle=False))
            typed = asyncio.create_task(typing.type(back))
            async with asyncio.timeout(10):
                async for event in heard:
                    if isinstance(event, SessionStateChanged) and event.state == "dormant":
                        break
            await typed
            running.cancel()
