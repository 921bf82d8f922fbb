import re
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from agent.commands.errors import CommandError
from agent.commands.results import Confirm, Picker, Reopen, Text
from store import grants, sessions, workspaces
from store.lock import session_lock
from store.records import Session
from tests.agent.commands.desk import Desk, desk


@pytest.fixture
async def typing(tmp_path: Path) -> AsyncGenerator[Desk, None]:
    async with desk(tmp_path) as opened:
        yield opened


async def other(typing: Desk, title: str, workspace: str = "") -> Session:
    opened = typing.context.opened
    folder = workspace or opened.workshop.record.workspace
    created = await opened.store.write(sessions.create, folder, agent="build", model="offline")
    await opened.store.write(sessions.rename, created.id, title)
    return created


async def test_sessions_are_offered_with_the_line_that_resumes_them(typing: Desk) -> None:
    older = await other(typing, "fix the login")
    await other(typing, "elsewhere", "/somewhere")

    listed = await typing.type("/sessions")

    assert isinstance(listed, Picker)
    assert [(each.label, each.line) for each in listed.options if not each.current] == [
        ("fix the login", f"/resume {older.id}")
    ]
    assert [each.label for each in listed.options if each.current] == ["(nothing said yet)"]
    assert await typing.type("/resume") == listed
    assert await typing.offered("/resume login") == [older.id]


async def test_a_session_is_resumed_by_id_or_title(typing: Desk) -> None:
    older = await other(typing, "fix the login")

    assert await typing.type(f"/resume {older.id[:24].lower()}") == Reopen(older.id, "back to fix the login")
    assert await typing.type("/resume Fix the") == Reopen(older.id, "back to fix the login")
    assert await typing.type(f"/resume {typing.context.opened.session.id}") == Text(
        "this is the session you are in"
    )


async def test_a_session_that_cannot_be_resumed_is_named(typing: Desk, tmp_path: Path) -> None:
    await other(typing, "same a")
    busy = await other(typing, "same b")
    away = await other(typing, "away", "/somewhere")

    with pytest.raises(CommandError, match="no session begins with 'zzz'; /sessions lists them"):
        await typing.type("/resume zzz")
    with pytest.raises(CommandError, match="2 sessions begin with 'same'"):
        await typing.type("/resume same")
    with pytest.raises(CommandError, match=f"belongs to /somewhere; wakeful -C /somewhere -r {away.id}"):
        await typing.type(f"/resume {away.id}")
    with (
        session_lock(typing.context.opened.opening.paths.locks, busy.id),
        pytest.raises(CommandError, match="is open in process"),
    ):
        await typing.type("/resume same b")


async def test_a_session_is_renamed(typing: Desk) -> None:
    opened = typing.context.opened

    await typing.type("/rename  The   login  ")

    assert (await opened.store.read(sessions.get, opened.session.id)).title == "The login"
    for bad in ("x" * 201, "red \x1b[31m"):
        with pytest.raises(CommandError, match="no plain line of at most 200"):
            await typing.type(f"/rename {bad}")
    with pytest.raises(CommandError, match="/rename needs TITLE; for example /rename the release"):
        await typing.type("/rename")


async def test_schedules_are_added_listed_switched_and_removed(typing: Desk) -> None:
    assert "nothing is scheduled" in await typing.read("/schedule")
    added = await typing.read('/schedule add "0 9 * * 1-5" look at the mail')
    assert re.search(r"schedule 1 fires next at (20\S+ )?09:00", added)
    await typing.type("/schedule add 30 8 * * * without quotes")
    await typing.type("/schedule add @daily once a day")

    rows = (await typing.read("/schedule")).splitlines()
    assert [row.split()[0] for row in rows[1:4]] == ["1", "2", "3"]
    assert "30 8 * * *" in rows[2]
    assert rows[2].endswith("without quotes")
    assert await typing.offered("/schedule off quot") == ["2"]
    assert await typing.read("/schedule off 2") == "schedule 2 is off; /schedule on 2 turns it on again"
    assert "never" in (await typing.read("/schedule")).splitlines()[2]
    assert re.search(r"schedule 2 is on; next at (20\S+ )?08:30", await typing.read("/schedule on #2"))
    assert "schedule 1 is gone" in await typing.read("/schedule remove 1")
    assert [each.id for each in await typing.context.opened.session.schedules.list()] == [2, 3]


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        (
            "/schedule add",
            '/schedule add needs "CRON"; for example /schedule add "0 9 * * 1-5" look at what is new',
        ),
        ("/schedule add @daily", "/schedule add needs PROMPT"),
        ('/schedule add "61 * * * *" x', "'61 * * * *' is no schedule"),
        ("/schedule remove 9", "no schedule 9; there is none in this session"),
        ("/schedule on x", "'x' is no NUMBER; write /schedule on NUMBER"),
    ],
)
async def test_a_bad_schedule_is_refused(typing: Desk, line: str, complaint: str) -> None:
    with pytest.raises(CommandError) as refused:
        await typing.type(line)

    assert complaint in str(refused.value)


RULES = '[permissions]\nrules = ["deny shell rm *", "shell make *"]\n'


async def test_rules_answers_and_mode_are_shown_and_an_answer_is_forgotten(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "config.toml").write_text(RULES)
    async with desk(tmp_path) as typing:
        opened = typing.context.opened
        folder = opened.workshop.record.workspace
        await opened.store.write(grants.add, folder, None, "shell", "cargo build *", "allow")
    async with desk(tmp_path) as typing:
        opened = typing.context.opened
        shown = await typing.read("/permissions")
        assert "deny shell rm *" in shown
        assert "1       allow shell cargo build *  your answer, always here" in shown
        assert "mode: ask" in shown
        assert opened.gate.policy.decide("shell", "shell", "cargo build fast").verdict == "allow"
        assert await typing.offered("/permissions forget cargo") == ["1"]

        assert "forgotten: allow shell cargo build *" in await typing.read("/permissions forget 1")

        assert opened.gate.policy.decide("shell", "shell", "cargo build fast").verdict == "ask"
        assert "cargo build" not in await typing.read("/permissions")
        with pytest.raises(CommandError, match="no answer with number 1; none was kept"):
            await typing.type("/permissions forget 1")


async def test_the_mode_is_changed(typing: Desk) -> None:
    assert (await typing.read("/permissions")).startswith(
        "there are no rules, and no answer was kept\nmode: ask"
    )
    assert await typing.read("/permissions mode accept-edits") == "mode: accept-edits"
    await typing.type("/model ollama/other")
    assert typing.context.opened.gate.policy.mode == "accept-edits"
    assert await typing.offered("/permissions mode au") == ["auto"]
    with pytest.raises(CommandError, match="'yolo' is not ask"):
        await typing.type("/permissions mode yolo")


async def test_trust_is_asked_given_and_taken_back(typing: Desk, tmp_path: Path) -> None:
    opened = typing.context.opened
    folder = str(tmp_path / "project")

    question = await typing.type("/trust")
    assert isinstance(question, Confirm)
    assert (question.question, question.line) == (f"Trust {folder}?", "/trust yes")
    assert await typing.type("/trust yes") == Reopen(opened.session.id, f"{folder} is trusted")

    place = await opened.store.read(workspaces.get, folder)
    assert place is not None
    assert place.trusted_at is not None
    assert await typing.read("/trust") == f"{folder} is trusted; /trust no changes that"
    assert await typing.read("/trust yes") == f"{folder} is trusted already"
    assert await typing.type("/trust no") == Reopen(opened.session.id, f"{folder} is no longer trusted")
    with pytest.raises(CommandError, match=r"'maybe' is not yes or no; write /trust"):
        await typing.type("/trust maybe")


async def test_a_new_session_is_begun(typing: Desk) -> None:
    begun = await typing.type("/new")

    assert begun == Reopen(None, "a new session; /sessions has the one before")
