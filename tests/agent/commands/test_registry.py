from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Annotated

import pytest

from agent.commands.builtin import COMMANDS
from agent.commands.errors import CommandError, UnknownCommandError
from agent.commands.execution import execute
from agent.commands.matching import rank
from agent.commands.registry import ELSEWHERE, Context, Kind, Registry, command, is_command
from agent.commands.results import Quit, Result, Text
from agent.todos.actors import USER
from agent.todos.drafts import Draft
from tests.agent.commands.desk import Desk, desk


async def _repeat(
    context: Context,
    count: Annotated[int, Kind("COUNT", int)],
    words: Annotated[str, Kind("WORDS", rest=True)] = "-",
) -> Result:
    return Text(words * count)


REPEAT = command("repeat", "Say it again", _repeat)


@pytest.fixture
async def typing(tmp_path: Path) -> AsyncGenerator[Desk, None]:
    async with desk(tmp_path) as opened:
        opened.context = Context(opened.context.opened, opened.context.registry.extended([REPEAT]))
        yield opened


def test_usage_is_read_off_the_function() -> None:
    assert REPEAT.usage == "/repeat COUNT [WORDS]"


async def test_arguments_arrive_with_their_types(typing: Desk) -> None:
    assert await typing.type("/repeat 2 ab cd") == Text("ab cdab cd")
    assert await typing.type("/REPEAT 3") == Text("---")


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("/repeat", "/repeat needs COUNT; write /repeat COUNT [WORDS]"),
        ("/todo done", "/todo done needs TODO… or all; for example /todo done 3"),
        (
            "/permissions mode",
            "/permissions mode needs ask, accept-edits, plan or auto; for example /permissions mode ask",
        ),
        ("/repeat much", "'much' is no COUNT; write /repeat COUNT [WORDS]"),
        ("/quit now", "/quit does not know what to do with 'now'; write /quit"),
        ("/todoss", "no command /todoss; did you mean /todos?"),
        ("/plan finalize", "'finalize' is no PLAN; did you mean /plan finalise?"),
        (
            "/schedule ad @daily x",
            "/schedule does not know what to do with 'ad @daily x'; did you mean /schedule add?",
        ),
        ("/xyzzyx", "no command /xyzzyx; see /help"),
        ("/nope", "no command /nope; see /help"),
        ("/clear", "no command /clear; did you mean /new?"),
        ("/exit", "no command /exit; did you mean /quit?"),
        ("todos", "'todos' is no command; commands begin with a slash; see /help"),
    ],
)
async def test_a_line_that_cannot_be_run_is_refused_with_what_to_do(
    typing: Desk, line: str, complaint: str
) -> None:
    with pytest.raises(CommandError) as refused:
        await typing.type(line)

    assert str(refused.value) == complaint


def test_every_argument_that_is_needed_has_an_example() -> None:
    needed = [(each.name, argument) for each in COMMANDS for argument in each.arguments if argument.required]

    assert [name for name, argument in needed if not argument.kind.example] == []


async def test_an_unknown_command_can_be_told_from_other_refusals(typing: Desk) -> None:
    with pytest.raises(UnknownCommandError):
        await execute(typing.context, "/hepl")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("/todos open", True),
        (" /help", True),
        ("/todo add one\ntwo\n/endtodo", True),
        ("/etc/hosts is odd", False),
        ("/ what", False),
        ("say /help", False),
        ("", False),
    ],
)
def test_a_path_is_no_command(text: str, expected: bool) -> None:
    assert is_command(text) is expected


def test_likelier_matches_come_first() -> None:
    words = ["export", "permissions", "parallel", "sprint", "plan", "my-plan"]

    assert rank("p", words, lambda word: (word,))[:3] == ["permissions", "parallel", "plan"]
    assert rank("plan", words, lambda word: (word,)) == ["plan", "my-plan"]
    assert rank("prl", words, lambda word: (word,)) == ["parallel"]
    assert rank("", words, lambda word: (word,)) == words


async def test_names_are_completed_with_usage_and_help(typing: Desk) -> None:
    found = await typing.complete("/qu")

    assert [(each.text, each.start) for each in found] == [("/quit", 0)]
    assert "resumed" in found[0].detail
    assert await typing.offered("/rpt") == ["/repeat"]
    assert await typing.offered("what is /qu") == []


async def test_every_command_is_offered_behind_a_lone_slash(typing: Desk) -> None:
    names = {each.name for each in typing.context.registry if " " not in each.name}

    assert {each.removeprefix("/") for each in await typing.offered("/")} == names


async def test_a_door_can_add_and_replace_commands(typing: Desk) -> None:
    async def say(context: Context) -> Result:
        return Text("mine")

    own = Context(typing.context.opened, typing.context.registry.extended([command("quit", "Mine", say)]))

    assert await execute(own, "/quit") == Text("mine")
    assert await typing.type("/quit") == Quit()


async def test_help_shows_all_or_one(typing: Desk) -> None:
    assert "/todos [FILTER]" in await typing.read("/help")
    assert (await typing.read("/help /quit")).startswith("/quit")
    with pytest.raises(CommandError, match="did you mean /quit"):
        await typing.read("/help qiut")


async def test_the_plan_is_shown_with_progress_and_counts(typing: Desk) -> None:
    service = typing.stage.opened.session.agenda.service
    await service.add(USER, [Draft("one", status="completed"), Draft("two"), Draft("three", priority="high")])

    assert await typing.read("/todos") == (
        "██████░░░░░░░░░░░░░░ 1/3 · 2 pending · 1 completed\n"
        "  #2 [pending] two\n  #3 [pending] three (high)\n  #1 [completed] one"
    )
    assert "#3" in await typing.read("/todos open high thr")
    assert await typing.offered("/todos pen") == ["pending", "open"]
    assert await typing.offered("/todos high comp") == ["completed"]


def test_a_registry_keeps_the_order_of_its_commands() -> None:
    assert [each.name for each in Registry([REPEAT])] == ["repeat"]


def test_words_of_other_shells_lead_to_commands_there_are() -> None:
    registry = Registry(COMMANDS)

    assert [name for name in ELSEWHERE.values() if name not in registry] == []
    assert [name for name in ELSEWHERE if name in registry] == []
