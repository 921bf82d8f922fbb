"""`wakeful run`: the agent without a screen, for scripts and a quick question."""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import os
import signal
import sys
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from agent.opening import Opened, Opening, open_session
from agent.permissions.errors import PermissionsError
from agent.permissions.rules import parse_rules
from agent.rounds import Outcome
from tui.configuration import user_paths
from tui.endings import Ending, Stop, judge
from tui.errors import UsageError
from tui.escapes import safe, speaks_unicode
from tui.parser import Options
from tui.plain import Answer, JsonLines, Live, Printer, Silent

HELP = (
    "Run the agent on PROMPT (or on standard input) and print its answer.\n"
    "A PROMPT such as /todos or /help is a command; it acts on the newest session here.\n\n"
    "Exit status: 0 done, 1 error, 2 usage, 3 open todos left, 4 refused with work undone,\n"
    "5 a limit was reached, 130 interrupted."
)
OUTPUTS = ("text", "json", "stream-json")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("prompt", nargs="*", metavar="PROMPT", help="what to do; without it, standard input")
    parser.add_argument("--output", choices=OUTPUTS, default="text", help="what to print (default: text)")
    parser.add_argument("-m", "--model", metavar="MODEL", help="PROVIDER/NAME, or offline")
    parser.add_argument("--agent", metavar="NAME", help="which agent (default: build)")
    parser.add_argument(
        "-c", "--continue", dest="proceed", action="store_true", help="continue the newest session"
    )
    parser.add_argument("-r", "--resume", metavar="ID", help="continue this session")
    parser.add_argument("--auto", action="store_true", help="do not ask: allow what no rule denies")
    parser.add_argument("--allow", metavar="RULE", action="append", default=[], help="such as 'shell make *'")
    parser.add_argument("--max-steps", type=_count(1), metavar="N", help="model calls in one turn")
    parser.add_argument("--max-wakes", type=_count(0), metavar="N", help="times the agent goes on by itself")
    parser.add_argument("--max-cost", type=_amount, metavar="DOLLARS", help="hard cap for the session")
    parser.add_argument("--timeout", type=_amount, metavar="SECONDS", help="give up after so long")


def _count(least: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not text.isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from {least} on")
        return int(text)

    return read


def _amount(text: str) -> float:
    try:
        amount = float(text)
    except ValueError:
        amount = 0.0
    if not 0 < amount < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number above 0")
    return amount


def run(options: Options) -> int:
    prompt = _prompt(options)
    try:
        parse_rules(options.allow)
    except PermissionsError as error:
        raise UsageError(str(error)) from error
    opening = Opening(
        paths=user_paths(),
        environment=os.environ,
        root=Path.cwd(),
        assignments=tuple(options.settings),
        attended=False,
        proceed="newest" if options.proceed else "new",
        resume=options.resume,
        model_name=options.model,
        agent=options.agent,
        auto=options.auto,
        allow=tuple(options.allow),
        max_steps=options.max_steps,
        max_cost=options.max_cost,
        max_wakes=options.max_wakes,
    )
    printer = _printer(options.output)
    return asyncio.run(work(opening, prompt, printer, output=options.output, timeout=options.timeout))


def _prompt(options: Options) -> str:
    words: list[str] = options.prompt
    text = " ".join(words) if words else ("" if sys.stdin.isatty() else sys.stdin.read())
    if not text.strip():
        raise UsageError("there is nothing to do", 'say it: wakeful run "survey this project"')
    return text.strip()


async def work(
    opening: Opening, prompt: str, printer: Printer, *, output: str = "text", timeout: float | None = None
) -> int:
    """Run the agent until it would need a person, and return the exit status."""
    async with open_session(_session_for(opening, prompt)) as opened:
        for notice in opened.notices:
            sys.stderr.write(f"wakeful: note: {safe(notice)}\n")
        if prompt.startswith("/"):
            # The commands cost 20 ms that a plain prompt need not wait for.
            from tui.commanding import commanded

            answered = await commanded(opened, prompt, output)
            if isinstance(answered, int):
                await opened.leave()
                return answered
            prompt = answered
        stop = Stop()
        with opened.session.subscribe() as events:

            async def show() -> None:
                async for event in events:
                    printer.show(event)

            try:
                async with asyncio.TaskGroup() as group:
                    group.create_task(show())
                    outcome = await _worked(opened, prompt, timeout, stop)
                    opened.session.bus.close()
            except BaseExceptionGroup as errors:
                # The reader of a pipe may leave early; that and any fault is told as the one thing it is.
                raise errors.exceptions[0] from errors
        ending = judge(opened, outcome, prompt, stop)
        printer.end(outcome, ending.why)
        if output == "json":
            print(json.dumps(await _report(opened, outcome, ending), ensure_ascii=False))
        return ending.status


def _session_for(opening: Opening, prompt: str) -> Opening:
    if not prompt.startswith("/"):
        return opening
    from tui.commanding import for_command

    return for_command(opening, prompt)


async def _worked(opened: Opened, prompt: str, timeout: float | None, stop: Stop) -> Outcome:
    session = opened.session
    if prompt:
        await session.send(prompt)
    async with _interruptible(opened, stop):
        try:
            async with asyncio.timeout(timeout):
                outcome = await session.run(until_idle=True)
            session.hint()
            return outcome
        except TimeoutError:
            stop.timed_out = True
    await session.interrupt()
    return await session.run(until_idle=True)


@asynccontextmanager
async def _interruptible(opened: Opened, stop: Stop) -> AsyncGenerator[None, None]:
    """The first signal stops the turn and ends the run in order; what was done is kept."""
    loop = asyncio.get_running_loop()
    stopping: set[asyncio.Task[None]] = set()

    def interrupt() -> None:
        stop.interrupted = True
        stopping.add(loop.create_task(opened.session.interrupt()))

    caught = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    for number in caught:
        loop.add_signal_handler(number, interrupt)
    try:
        yield
    finally:
        for number in caught:
            loop.remove_signal_handler(number)
        if stopping:
            await asyncio.wait(stopping)


def _printer(output: str) -> Printer:
    if output == "stream-json":
        return JsonLines(sys.stdout)
    if output == "json":
        return Silent(sys.stderr)
    if sys.stdout.isatty():
        return Live(sys.stdout, unicode=speaks_unicode(sys.stdout))
    return Answer(sys.stdout, sys.stderr)


async def _report(opened: Opened, outcome: Outcome, ending: Ending) -> dict[str, object]:
    from dataclasses import asdict

    from agent.money import is_priced, known_cost
    from agent.todos.wire import as_json
    from store import sessions

    record = await opened.store.read(sessions.get, opened.session.id)
    used = bool(record.usage.total)
    return {
        "session": record.id,
        "result": outcome.text,
        "state": outcome.state,
        "reason": ending.why or outcome.reason,
        "todos": [as_json(todo) for todo in opened.session.agenda.todos],
        "usage": asdict(record.usage),
        "cost": known_cost(record.cost, priced=await is_priced(opened.store, record.id), used=used),
        "exit": ending.status,
    }
