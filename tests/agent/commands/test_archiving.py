import json
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from agent.commands.errors import CommandError
from agent.commands.results import Confirm, Found, Picker, Reopen
from agent.models.scripted import Scripted, said
from store import messages, sessions
from store.lock import session_lock
from tests.agent.commands.desk import Desk, desk


@pytest.fixture
async def typing(tmp_path: Path) -> AsyncGenerator[Desk, None]:
    model = Scripted([said("The needle is in the hay."), said("Again.")])
    async with desk(tmp_path, model) as opened:
        await opened.stage.ask("find the needle")
        await opened.stage.ask("and once more")
        await opened.type("/todo add thread the needle")
        yield opened


async def test_a_fork_is_offered_from_every_message_and_opened(typing: Desk) -> None:
    opened = typing.context.opened

    offered = await typing.type("/fork")
    assert isinstance(offered, Picker)
    assert [each.label for each in offered.options] == [
        "everything so far",
        "and once more",
        "find the needle",
    ]
    made = await typing.type(offered.options[2].line)

    assert isinstance(made, Reopen)
    assert made.session_id
    history = await opened.store.read(messages.load, made.session_id)
    assert [message.text for message in history] == ["find the needle"]
    assert made.session_id != opened.session.id
    assert await typing.offered("/fork once") == [offered.options[1].line.split()[1]]
    whole = await typing.type("/fork all")
    assert isinstance(whole, Reopen)
    assert whole.session_id
    assert len(await opened.store.read(messages.load, whole.session_id)) == 4


async def test_a_fork_from_nowhere_is_refused(typing: Desk) -> None:
    with pytest.raises(CommandError, match="has no message 999"):
        await typing.type("/fork 999")
    with pytest.raises(CommandError, match=r"'x' is not all or MESSAGE"):
        await typing.type("/fork x")


async def test_an_export_is_written_beside_the_project_and_replaces_nothing(
    typing: Desk, tmp_path: Path
) -> None:
    project = tmp_path / "project"
    tail = typing.context.opened.session.id[-4:]

    first = await typing.read("/export")
    await typing.type("/export")
    await typing.type("/export md notes.txt")
    await typing.type('/export "my notes.json"')

    names = {path.name for path in project.iterdir()}
    assert names == {
        f"find-the-needle-{tail}.html",
        f"find-the-needle-{tail}-2.html",
        "notes.txt",
        "my notes.json",
    }
    assert f"{project}/find-the-needle-{tail}.html holds this session" in first
    assert (project / "notes.txt").read_text().startswith("# find the needle")
    assert json.loads((project / "my notes.json").read_text())["format"] == "wakeful.session"
    assert (project / "notes.txt").stat().st_mode & 0o077 == 0
    with pytest.raises(CommandError, match=r"notes.txt is there already; give another name"):
        await typing.type("/export md notes.txt")
    with pytest.raises(CommandError, match=r"cannot be written \(No such file"):
        await typing.type("/export nowhere/x.html")
    with pytest.raises(CommandError, match=r"'report\.pdf' is no format and no file of one"):
        await typing.type("/export report.pdf")


async def test_keys_of_the_environment_and_the_key_file_are_not_exported(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / "keys.toml").write_text('"corp" = "canary-from-file"\n')
    (home / "config.toml").write_text(
        '[providers.corp]\nbase_url = "http://127.0.0.1:9"\nkey_env = "CORPORATE"\n'
    )
    environment = {"WAKEFUL_HOME": str(home), "PATH": "/usr/bin:/bin", "CORPORATE": "canary-from-env"}
    async with desk(tmp_path, Scripted([said("canary-from-env")]), environment=environment) as typing:
        await typing.stage.ask("say canary-from-file")
        for kind in ("md", "json", "html"):
            await typing.type(f"/export {kind} out.{kind}")

    written = [path.read_text() for path in (tmp_path / "project").iterdir()]
    assert len(written) == 3
    assert not [text for text in written if "canary" in text]
    assert all("[redacted]" in text for text in written)


async def test_words_are_found_in_what_was_said_and_planned(typing: Desk) -> None:
    found = await typing.type("/search needle")

    assert isinstance(found, Found)
    assert [(hit.kind, hit.detail) for hit in found.hits] == [
        ("todo", "pending"),
        ("message", "assistant"),
        ("message", "user"),
    ]
    shown = await typing.read("/search needle")
    assert "    thread the *needle*" in shown
    assert await typing.read("/search nowhere") == "nothing has 'nowhere'"


async def test_another_session_is_deleted_after_a_yes(typing: Desk) -> None:
    opened = typing.context.opened
    folder = opened.workshop.record.workspace
    other = await opened.store.write(sessions.create, folder, agent="build", model="m")
    await opened.store.write(sessions.rename, other.id, "old things")

    asked = await typing.type('/sessions delete "old th"')
    assert isinstance(asked, Confirm)
    with session_lock(opened.opening.paths.locks, other.id), pytest.raises(CommandError, match="is open in"):
        await typing.type(asked.line)
    assert await typing.read(asked.line) == "old things is gone, with its messages and todos"

    assert [each.id for each in await opened.store.read(sessions.listed, folder)] == [opened.session.id]
    with pytest.raises(CommandError, match="this is the session you are in"):
        await typing.type(f"/sessions delete {opened.session.id}")


async def test_sessions_are_listed_with_state_plan_cost_and_age(typing: Desk) -> None:
    opened = typing.context.opened
    folder = opened.workshop.record.workspace
    other = await opened.store.write(sessions.create, folder, agent="build", model="m")
    await opened.store.write(sessions.set_state, other.id, "running", "working")

    listed = await typing.type("/sessions")

    assert isinstance(listed, Picker)
    details = {each.label: each.detail for each in listed.options}
    assert details["(nothing said yet)"].startswith("interrupted, ")
    assert ", 0/1, " in details["find the needle"]
    assert details["find the needle"].endswith(" s ago")


async def test_files_are_those_of_the_folder_the_session_began_in(tmp_path: Path) -> None:
    async with desk(tmp_path) as typing:
        (tmp_path / "project" / "notes.md").write_text("- [ ] pack\n")
        await typing.stage.opened.session.send("hello")
        session_id = typing.stage.opened.session.id
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()

    async with desk(tmp_path, root=elsewhere, resume=session_id) as typing:
        assert "notes.md" in await typing.offered("/plan import no")
