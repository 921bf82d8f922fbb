"""`/compact`: a summary in the place of what was said, seen before it happens and taken back after."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Annotated

from agent.commands.registry import Context, Kind, command
from agent.commands.results import Confirm, Result, Text
from agent.context import sizes
from agent.context.keeper import Preview
from agent.events import ContextCompacted
from agent.permissions.display import display
from agent.titles import call_title
from store.records import Message, Part

FOCUS = Kind("FOCUS", rest=True)
_ASKED = 5
_LARGEST = 3
_LONGEST = 56
_COLUMN = 12


async def _compact(context: Context, focus: Annotated[str, FOCUS] = "") -> Result:
    session = context.opened.session
    preview = await session.context.preview()
    if not session.questions.attended:
        return await _now(context, focus)
    open_todos = session.agenda.open_count
    artifacts = len(await context.opened.workshop.artifacts.list())
    detail = "\n".join(_described(preview, session.context.limit, open_todos, artifacts, focus))
    wish = "" if focus else "Yes, and say what matters most"
    return Confirm("Summarise the conversation?", detail, f"/compact now {focus}".rstrip(), wish)


async def _now(context: Context, focus: Annotated[str, FOCUS] = "") -> Result:
    session = context.opened.session
    if session.busy:
        session.context.want(focus)
        return Text("the conversation is summarised before the next request of this turn")
    done = await session.compact(focus)
    how = ", put together without a model" if done.local else ""
    return Text(f"compacted{how}: {_sizes(done)}; /compact undo takes it back")


async def _undo(context: Context) -> Result:
    keeper = context.opened.session.context
    done = await keeper.undo()
    full = done.after > keeper.window.usable
    again = "; that is more than fits, so it is summarised again before the next request" if full else ""
    return Text(f"the summary is taken back: {_sizes(done)}{again}")


def _sizes(done: ContextCompacted) -> str:
    return f"{done.before:,} to {done.after:,} tokens of {done.context_limit:,}"


def _described(preview: Preview, limit: int, todos: int, artifacts: int, focus: str) -> Iterator[str]:
    yield _fact("now", f"{preview.before:>9,} tokens  {preview.before / limit:>4.0%} of {limit:,}")
    yield _fact("afterwards", f"{f'~{preview.after:,}':>9} tokens  {preview.after / limit:>4.0%}")
    yield _fact("goes in", f"{_counted(preview.messages)}, {preview.tokens:,} tokens")
    asked = [_line(message.text) for message in preview.messages if message.origin == "human"]
    earlier = [f"… {len(asked) - _ASKED} before"] if len(asked) > _ASKED else []
    yield from _facts("asked", [*earlier, *asked[-_ASKED:]])
    largest = [(sizes.tokens(part.output or ""), part) for part in _largest(preview.messages)]
    yield from _facts("largest", [f"{tokens:>9,} tokens  {_call(part)}" for tokens, part in largest])
    kept = [_many(preview.kept, "message"), _many(todos, "open todo"), _many(artifacts, "artifact")]
    stays = [each for each in kept if not each.startswith("0 ")]
    if stays:
        yield _fact("stays", f"{', '.join(stays)}, word for word")
    if focus:
        yield _fact("care for", _line(focus))
    price = f", about ${preview.cost:.2f}" if preview.cost else ""
    writer = f"{preview.model}{price}" if preview.model else "nobody: put together from the record"
    yield _fact("written by", writer)
    yield "(Nothing is deleted: it all stays on screen and in the session, and /compact undo takes it back.)"


def _fact(name: str, value: str) -> str:
    return f"{name:<{_COLUMN}}{value}"


def _facts(name: str, values: Sequence[str]) -> Iterator[str]:
    for number, value in enumerate(values):
        yield _fact("" if number else name, value)


def _counted(messages: Sequence[Message]) -> str:
    kinds = Counter(part.kind for message in messages for part in message.parts)
    held = [_many(kinds["tool"], "tool result"), _many(kinds["file"], "file")]
    some = " and ".join(each for each in held if not each.startswith("0 "))
    said = _many(len(messages), "message")
    return f"{said} with {some}" if some else said


def _largest(messages: Sequence[Message]) -> list[Part]:
    outputs = [part for message in messages for part in message.parts if part.kind == "tool" and part.output]
    shown = [part for part in outputs if part.pruned_at is None]
    return sorted(shown, key=lambda part: len(part.output or ""), reverse=True)[:_LARGEST]


def _call(part: Part) -> str:
    return _line(call_title(part))


def _line(text: str) -> str:
    line = display(" ".join(text.split()))
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"


def _many(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


COMMANDS = (
    command(
        "compact", "Show what a summary of the conversation would hold, then make it", _compact, asking=True
    ),
    command(
        "compact now",
        "Summarise at once; FOCUS is what to keep with special care",
        _now,
        lasting=True,
        asking=True,
    ),
    command("compact undo", "Take the newest summary back: what it stood for is sent again", _undo),
)
