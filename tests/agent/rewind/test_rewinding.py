"""Going back through whole sessions: real files, real tools, a scripted model, and no git anywhere."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from agent.events import SessionRewound
from agent.models.protocol import Text
from agent.models.scripted import Scripted, said
from agent.rewind.service import RewindError, RewindService
from agent.rewind.states import look
from agent.session import BusyError
from store import messages, rewinds
from store.records import FileState, FileStep
from tests.agent.openings import Stage, stage
from tests.agent.rewind.sequences import tree

Call = tuple[str, dict[str, Any]]


def turns(*replies: Sequence[Call]) -> Scripted:
    """Each reply makes its calls one after the other and ends."""
    return Scripted(
        [answer for calls in replies for answer in (*(said("", call) for call in calls), said("ok"))]
    )


def write(path: str, content: str) -> Call:
    return "write", {"path": path, "content": content}


def shell(command: str) -> Call:
    return "shell", {"command": command}


def service(scene: Stage) -> RewindService:
    return scene.opened.workshop.rewinds


async def contents(scene: Stage) -> list[str]:
    session = scene.opened.session
    stored = await scene.opened.store.read(messages.load, session.id)
    assert stored == tuple(session.journal.messages)
    return [message.text for message in stored if message.origin == "human"]


async def test_files_come_back_byte_for_byte_with_modes_and_without_git(tmp_path: Path):
    project = tmp_path / "project"
    project.mkdir()
    (project / "script.sh").write_bytes(b"#!/bin/sh\r\necho \xff\n")
    (project / "script.sh").chmod(0o751)
    (project / "old.txt").write_text("old\n")
    before = tree(project)
    diff = "--- a/old.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-old\n"
    model = turns(
        [("edit", {"path": "script.sh", "old": "echo", "new": "printf"}), ("patch", {"diff": diff})],
        [write("new/deep/file.txt", "made\n")],
    )
    async with stage(tmp_path, model, auto=True) as scene:
        await scene.ask("change")
        between = tree(project)
        await scene.ask("create")
        assert len(tree(project)) == len(between) + 3
        first, second = await service(scene).points()

        outcome = await service(scene).rewind(2, "files")
        assert tree(project) == between
        assert outcome.restored == ("new/deep/file.txt",)
        outcome = await service(scene).rewind(1, "files")

    assert (first.files, second.files) == (3, 1)
    assert tree(project) == before
    assert outcome.left == ()


async def test_a_command_is_taken_back_with_what_it_made_moved_and_removed(tmp_path: Path):
    project = tmp_path / "project"
    (project / "lib" / "inner").mkdir(parents=True)
    (project / "lib" / "inner" / "a.py").write_text("a\n")
    (project / "lib" / "b.py").write_text("b\n")
    (project / "lib" / "b.py").chmod(0o600)
    (project / "link").symlink_to("lib/b.py")
    (project / "lib").chmod(0o750)
    (project / "shuffle.sh").write_text(
        "mv lib moved; ln -s moved lib; rm link; ln -s moved/inner/a.py link; mkdir made; touch made/empty;"
        " printf more >> moved/b.py; chmod 755 moved/b.py"
    )
    before = tree(project)
    # Landlock lets a command make names in the workspace itself only where the user allowed it.
    command = "sh shuffle.sh"
    async with stage(tmp_path, turns([shell(command)]), allow=(f"shell {command}",)) as scene:
        await scene.ask("shuffle")
        assert (project / "lib").is_symlink()

        outcome = await service(scene).rewind(1, "both")

    assert tree(project) == before
    assert outcome.left == ()
    assert not list((tmp_path / "home" / "snapshots" / "live").iterdir())


async def test_the_conversation_goes_back_and_the_model_no_longer_sees_it(tmp_path: Path):
    model = Scripted([said("one"), said("two"), said("three"), said("four")])
    async with stage(tmp_path, model) as scene:
        for text in ("first", "second", "third"):
            await scene.ask(text)

        with scene.opened.session.subscribe() as events:
            outcome = await service(scene).rewind(2, "conversation")
            event = await anext(events)
        assert await contents(scene) == ["first"]
        await scene.ask("instead")

    assert isinstance(event, SessionRewound)
    assert (outcome.hidden, event.hidden) == (4, 4)
    assert [message.get("content") for message in model.requests[-1].messages[1:]] == [
        "first",
        "one",
        "instead",
    ]


async def test_undo_brings_back_messages_and_files_and_redo_takes_them_away_again(tmp_path: Path):
    project = tmp_path / "project"
    model = turns([write("a.txt", "1")], [write("b.txt", "2")], [write("c.txt", "3")])
    async with stage(tmp_path, model, auto=True) as scene:
        await scene.ask("first")
        await scene.ask("second")
        done = tree(project)
        await service(scene).rewind(2, "both")
        assert sorted(tree(project)) == ["a.txt"]
        await scene.ask("other")
        since = tree(project)

        undone = await service(scene).undo()
        assert await contents(scene) == ["first", "second"]
        assert tree(project) == done
        assert undone.revealed > 0
        with pytest.raises(RewindError, match="no rewind to take back"):
            await service(scene).undo()

        await service(scene).redo()
        assert await contents(scene) == ["first", "other"]
        assert tree(project) == since
        with pytest.raises(RewindError, match="nothing was undone"):
            await service(scene).redo()
        await service(scene).undo()
        assert tree(project) == done


async def test_a_file_that_someone_else_changed_is_named_and_left(tmp_path: Path):
    project = tmp_path / "project"
    model = turns([write("mine.txt", "agent\n"), write("shared.txt", "agent\n")])
    async with stage(tmp_path, model, auto=True) as scene:
        await scene.ask("write")
        (project / "shared.txt").write_text("agent\nand me\n")

        outcome = await service(scene).rewind(1, "files")

    assert outcome.restored == ("mine.txt",)
    assert outcome.left == (("shared.txt", "changed by someone else since"),)
    assert sorted(tree(project)) == ["shared.txt"]
    assert (project / "shared.txt").read_text() == "agent\nand me\n"


async def test_a_foreign_change_between_two_of_the_session_is_not_lost(tmp_path: Path):
    project = tmp_path / "project"
    read_and_edit = [("read", {"path": "a.txt"}), ("edit", {"path": "a.txt", "old": "me", "new": "you"})]
    async with stage(tmp_path, turns([write("a.txt", "agent\n")], read_and_edit), auto=True) as scene:
        await scene.ask("write")
        (project / "a.txt").write_text("me\n")
        await scene.ask("edit")

        everything = await service(scene).rewind(1, "files")
        assert everything.left == (("a.txt", "changed by someone else since"),)
        assert (project / "a.txt").read_text() == "you\n"
        last = await service(scene).rewind(2, "files")

    assert last.restored == ("a.txt",)
    assert (project / "a.txt").read_text() == "me\n"


async def test_a_content_that_had_to_make_room_is_named(tmp_path: Path):
    project = tmp_path / "project"
    project.mkdir()
    (project / "a.txt").write_text("x" * 700_000)
    (project / "b.txt").write_text("y" * 700_000)
    home = tmp_path / "home"
    home.mkdir()
    (home / "config.toml").write_text("[rewind]\nmax_megabytes = 1\n")
    reads = [("read", {"path": name}) for name in ("a.txt", "b.txt")]
    model = turns([*reads, write("a.txt", "a"), write("b.txt", "b")])
    async with stage(tmp_path, model, auto=True) as scene:
        await scene.ask("shrink")

        outcome = await service(scene).rewind(1, "files")

    assert outcome.restored == ("b.txt",)
    assert [(path, "no longer kept" in why) for path, why in outcome.left] == [("a.txt", True)]


async def test_without_room_for_contents_only_the_conversation_goes_back(tmp_path: Path):
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "config.toml").write_text("[rewind]\nmax_megabytes = 0\n")
    async with stage(tmp_path, turns([write("a.txt", "1")]), auto=True) as scene:
        await scene.ask("write")
        outcome = await service(scene).rewind(1, "both")

    assert (outcome.hidden > 0, outcome.restored, outcome.left) == (True, (), ())
    assert not (tmp_path / "home" / "snapshots").exists()


async def test_an_edit_that_is_refused_leaves_no_trace(tmp_path: Path):
    project = tmp_path / "project"
    (project / "folder").mkdir(parents=True)
    (project / "a.txt").write_text("a\n")
    model = turns([("edit", {"path": "a.txt", "old": "nothing like it", "new": "b"})], [write("folder", "x")])
    async with stage(tmp_path, model, auto=True) as scene:
        await scene.ask("edit")
        await scene.ask("write")
        points = await service(scene).points()

    assert [point.files for point in points] == [0, 0]


async def test_what_was_shown_before_a_rewind_has_to_be_read_again(tmp_path: Path):
    project = tmp_path / "project"
    project.mkdir()
    (project / "a.txt").write_text("a\n")
    model = turns([("read", {"path": "a.txt"})], [write("a.txt", "b\n")])
    async with stage(tmp_path, model, auto=True) as scene:
        await scene.ask("read")
        await service(scene).rewind(1, "conversation")
        await scene.ask("overwrite")

    assert "you have not read it" in json.dumps(model.requests[-1].messages)
    assert (project / "a.txt").read_text() == "a\n"


async def test_a_rewind_outlives_the_process(tmp_path: Path):
    project = tmp_path / "project"
    async with stage(tmp_path, turns([write("a.txt", "1")]), auto=True) as scene:
        await scene.ask("write")
    async with stage(tmp_path, Scripted([]), proceed="newest") as scene:
        await service(scene).rewind(1, "both")
        assert not (project / "a.txt").exists()
    async with stage(tmp_path, Scripted([]), proceed="newest") as scene:
        assert await contents(scene) == []
        await service(scene).undo()
        assert await contents(scene) == ["write"]

    assert (project / "a.txt").read_text() == "1"


async def test_a_link_put_in_the_way_leads_a_rewind_nowhere(tmp_path: Path):
    project, outside = tmp_path / "project", tmp_path / "outside"
    (project / "sub").mkdir(parents=True)
    (project / "sub" / "a.txt").write_text("mine\n")
    outside.mkdir()
    (outside / "a.txt").write_text("agent\n")
    model = turns([("read", {"path": "sub/a.txt"}), write("sub/a.txt", "agent\n")])
    async with stage(tmp_path, model, auto=True) as scene:
        await scene.ask("write")
        (project / "sub").rename(project / "kept")
        (project / "sub").symlink_to(outside)

        outcome = await service(scene).rewind(1, "files")

    assert (outside / "a.txt").read_text() == "agent\n"
    assert [path for path, _ in outcome.left] == ["sub/a.txt"]


async def test_a_turn_that_runs_has_to_be_stopped_first(tmp_path: Path):
    gate = asyncio.Event()
    async with stage(tmp_path, Scripted([said("ok"), [Text("so far"), gate]])) as scene:
        await scene.ask("first")
        working = asyncio.ensure_future(scene.ask("second"))
        while not scene.opened.session.busy:
            await asyncio.sleep(0.005)
        with pytest.raises(BusyError, match="stop it first"):
            await service(scene).rewind(1, "both")
        await scene.opened.session.interrupt()
        await working

        await service(scene).rewind(1, "both")
        assert await contents(scene) == []
        with pytest.raises(RewindError, match="no message 1 to go back to; nothing is left"):
            await service(scene).rewind(1, "both")


async def test_a_session_that_went_back_waits_for_the_user(tmp_path: Path):
    model = Scripted([said("", ("todo_add", {"title": "later"})), said("ok"), said("never")])
    async with stage(tmp_path, model, max_wakes=0) as scene:
        await scene.ask("plan")
    async with stage(tmp_path, model, proceed="newest") as scene:
        await service(scene).rewind(1, "conversation")

        outcome = await scene.opened.session.run(until_idle=True)

    assert len(model.requests) == 2
    assert "held" in outcome.reason


async def test_commands_of_a_large_project_are_covered_for_files_the_agent_knows(tmp_path: Path):
    project = tmp_path / "project"
    project.mkdir()
    for number in range(5_001):
        (project / f"{number}.txt").touch()
    (project / "known.txt").write_text("known\n")
    model = turns([("read", {"path": "known.txt"}), shell("echo x > known.txt; echo x > 7.txt")])
    async with stage(tmp_path, model, auto=True) as scene:
        await scene.ask("go")

        outcome = await service(scene).rewind(1, "files")
        ledger = service(scene).ledger

    assert outcome.restored == ("known.txt",)
    assert (project / "known.txt").read_text() == "known\n"
    assert (project / "7.txt").read_text() == "x\n"
    assert ledger is not None
    assert not ledger.covers_commands


async def test_a_step_that_was_noted_and_then_cut_off_by_a_kill_is_no_foreign_change(tmp_path: Path):
    project = tmp_path / "project"
    async with stage(tmp_path, turns([write("a.txt", "1")], [write("b.txt", "2")]), auto=True) as scene:
        await scene.ask("write")
        opened, state = scene.opened, look(project / "a.txt")
        noted = FileStep(0, opened.session.id, 0, "edit", str(project / "a.txt"), state, FileState())
        await opened.store.write(rewinds.add_steps, [noted])
        await scene.ask("go on")

        outcome = await service(scene).rewind(1, "files")

    assert outcome.left == ()
    assert tree(project) == {}
