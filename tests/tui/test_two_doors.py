"""One script, two doors: the app and the REPL answer every command with the same words."""

import asyncio
import re
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from agent.commands.builtin import COMMANDS
from agent.commands.errors import CommandError
from agent.commands.registry import Registry
from agent.models.scripted import Scripted
from agent.opening import open_session
from tests.agent.openings import opening
from tests.tui.app.pilots import running, until
from tests.tui.repl.papers import bare, paper
from tui.repl import usage
from tui.repl.talk import Talk
from tui.repl.telling import Telling
from tui.talk import Ending, first_status
from tui.talk import Talk as AnyTalk
from tui.transcript.entries import UserMessage

WIDTH = 200
# One whose price is known, so that a cap is no news.
MODEL = "openai/gpt-4o"
SCRIPT = """
/hold
/status
/todos
/todos log
/todos undo
/todo add Review the deploy
/todo add -w File the ticket
/todo add Write the report\\nwith all figures\\nand the causes\\n/endtodo
/todo add No end\\nof it
/todo start review
/todo block 2: needs a key
/todo describe 1: look at the boards
/todo subject 1: Review the canary
/todo priority 1 high
/todo priority 1 huge
/todo move 3 top
/todo move 1 under 3
/todo list
/todo list blocked
/todo show 1
/todos
/todos pending
/todos blocked @nothing
/todos all canary
/todo done rev
/todo cancel 3
/todo reopen 3
/todo delete 2
/todo undo
/todos all
/todos log
/todos log 2
/todos log many
/todos undo
/todo
/todo donne 3
/todo start
/todo done 99
/plan
/plan import nowhere.md
/plan import boxes.md
/plan import steps.md
/plan
/plan 9
/plan finalise 1 1
/plan finalise 1
/todos @ship
/plan export out.md
/sprint
/sprint add First
/sprint put First 1 3
/sprint status First active
/sprint
/todos all sprint:first
/sprint take 1
/sprint delete First
/wake now
/wake
/hold
/budget
/budget 2
/budget lots
/budget none
/model offline
/model nope
/agent plan
/agent build
/agent nobody
/cost
/status
/compact
/compact now
/compact undo
/permissions
/permissions mode plan
/permissions mode ask
/permissions mode bold
/permissions forget 3
/trust models
/trust no
/resume nowhere
/sessions delete nowhere
/rename The whole script
/schedule
/schedule add "0 9 * * 1" tidy up
/schedule
/schedule off 1
/schedule on 1
/schedule remove 1
/schedule remove 1
/fork 999
/export md talk.md
/export md talk.md
/rewind
/rewind undo
/rewind redo
/diff
/copy
/copy todos
/copy code
/help
/help todo
/help nothing
/nothing
/quit now
"""
LINES = [line.replace("\\n", "\n") for line in SCRIPT.strip().split("\n")]
# They open a picker, a screen or another session in the app.
ELSEWHERE = {"sessions", "new", "search", "setup", "settings", "theme", "keys"}
# Ends in a question, which each door asks its own way.
ASKED = "/plan import steps.md"

Door = Callable[[str], Awaitable[str]]


def test_the_script_has_every_command():
    registry = Registry(COMMANDS)

    named = {registry.find(line)[0].name for line in LINES if _known(registry, line)}

    assert {each.name for each in COMMANDS} - named == ELSEWHERE


async def test_a_script_of_commands_is_answered_alike_in_the_app_and_in_the_repl(tmp_path: Path):
    async with at_the_app(tmp_path / "one") as app:
        shown_there = [await app(line) for line in LINES]
    async with at_the_repl(tmp_path / "two") as repl:
        shown_here = [await repl(line) for line in LINES]

    for line, there, here in zip(LINES, shown_there, shown_here, strict=True):
        if line != ASKED:
            assert words(there) == words(here), line
            assert words(here), line


@asynccontextmanager
async def at_the_app(folder: Path) -> AsyncGenerator[Door, None]:
    furnish(folder)
    async with running(folder, size=(WIDTH, 50), model=Scripted([]), model_name=MODEL) as (app, pilot):
        await until(pilot, lambda: app.stage)
        assert app.stage is not None
        stage, document = app.stage, app.transcript.document

        async def answered(line: str) -> str:
            before = len(document.slots)
            await typed(stage, line)
            await pilot.pause()
            places = range(before, len(document.slots))
            said = [each for each in places if not isinstance(document.slots[each].body, UserMessage)]
            return "\n".join(strip.text for place in said for strip in document.strips(place))

        yield answered


@asynccontextmanager
async def at_the_repl(folder: Path) -> AsyncGenerator[Door, None]:
    furnish(folder)
    tape, left = Tape(), list[Ending]()
    async with (
        open_session(opening(folder, attended=True, model=Scripted([]), model_name=MODEL)) as opened,
        asyncio.TaskGroup() as tasks,
    ):
        telling = Telling(paper(width=WIDTH), echo=False)
        talk = Talk(opened, telling, tape, tasks, await first_status(opened), left.append)

        async def answered(line: str) -> str:
            before = len(tape.text)
            await typed(talk, line)
            return tape.text[before:]

        yield answered
        talk.cancel()


class Tape:
    """A terminal that keeps what was printed."""

    takes_sequences = True
    keys = usage.PROMPT

    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str) -> None:
        self.text += text

    def refresh(self) -> None:
        pass

    def draft(self, text: str) -> None:
        del text


def furnish(folder: Path) -> None:
    project = folder / "project"
    project.mkdir(parents=True)
    (project / "boxes.md").write_text("- [ ] pack\n- [x] seal\n")
    (project / "steps.md").write_text("# Ship it\n\n1. Build\n   - sign\n2. Announce\n")


async def typed(talk: AnyTalk, line: str) -> None:
    await talk.start(talk.take(line))
    await asyncio.sleep(0)
    for question in talk.session.questions.open:
        talk.answer(question, "no")


def words(shown: str) -> list[str]:
    """What is read: without colours, bars and signs, clock times, ages, and names that differ by nature."""
    text = bare(re.sub(r"\x1b\][^\x07]*(?:\x07|\x1b\\\\)", "", shown))
    text = re.sub(r"/\S*/(?:one|two)/", "/folder/", text)
    text = re.sub(r"\b01[0-9A-Z]{24}\b", "ID", text)
    text = re.sub(r"\d\d:\d\d:\d\d|\d+ (?:s|min) ago", "TIME", text)
    text = re.sub(r"Plan (?=\d+/\d+)", "", text)
    return re.findall(r"[\w#$%@'/.-]*\w[\w#$%@'/.-]*", text)


def _known(registry: Registry, line: str) -> bool:
    try:
        registry.find(line)
    except CommandError:
        return False
    return True
