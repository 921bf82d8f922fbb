"""A session as one Markdown document: what it was about, the plan, the conversation, how the plan moved."""

from __future__ import annotations

import re
from collections.abc import Iterator

from agent.archive.records import Archive
from agent.archive.telling import ending, moments, plain, speaker, spent, when
from agent.context.attachments import name_of
from agent.titles import call_title
from agent.todos import markdown
from agent.todos.lines import ratio
from agent.todos.rules import progress
from store.records import Message, Part

_RUN = re.compile(r"`{3,}")


def to_markdown(archive: Archive) -> str:
    blocks = [
        f"# {_heading(archive.session.title) or 'A session'}",
        "\n".join(f"- {name}: {value}" for name, value in spent(archive)),
        *_plan(archive),
        *(block for message in archive.messages for block in _message(message)),
        *_timeline(archive),
    ]
    return plain("\n\n".join(blocks)) + "\n"


def _plan(archive: Archive) -> Iterator[str]:
    if archive.todos:
        yield f"## Plan: {ratio(progress(archive.todos))} done"
        yield markdown.export(archive.todos).rstrip()
    for document in archive.artifacts:
        artifact = document.artifact
        state = f"{artifact.type}, {artifact.stage}, version {artifact.version}"
        yield f"### {_heading(artifact.title)} ({state})"
        yield _fenced(artifact.content, "markdown")


def _message(message: Message) -> Iterator[str]:
    parts = [block for part in message.parts for block in _part(part)]
    ended = ending(message)
    if not parts and not ended:
        return
    cut = f" ({_inline(ended)})" if ended else ""
    yield f"## {speaker(message)}{cut}, {when(message.created_at)}"
    yield from parts


def _part(part: Part) -> Iterator[str]:
    match part.kind:
        case "text" if part.text.strip():
            yield part.text.strip("\n")
        case "reasoning" if part.text.strip():
            yield "\n".join(f"> {line}".rstrip() for line in part.text.strip().splitlines())
        case "tool":
            yield f"{_code(call_title(part))}: {part.status}"
            if part.output and part.output.strip():
                yield _fenced(part.output, "text")
        case "file":
            yield f"*(a file: {_inline(name_of(part))})*"
        case _:
            pass


def _timeline(archive: Archive) -> Iterator[str]:
    if archive.timeline:
        yield "## How the plan moved"
        yield "\n".join(
            f"- {when(each.time)} {_inline(each.actor)}: {_inline(each.summary)}" for each in moments(archive)
        )


def _fenced(text: str, language: str) -> str:
    """Whatever runs of backticks the text has, the fence is longer."""
    fence = "`" * max([3, *(len(run) + 1 for run in _RUN.findall(text))])
    return f"{fence}{language}\n{text.rstrip()}\n{fence}"


def _code(line: str) -> str:
    ticks = "`" * (1 + max(map(len, re.findall("`+", line)), default=0))
    return f"{ticks} {line} {ticks}" if "`" in line else f"`{line}`"


def _heading(text: str) -> str:
    return " ".join(text.split())


def _inline(text: str) -> str:
    """As the text it is: no emphasis, no links, no HTML."""
    return re.sub(r"([\\`*_{}\[\]<>#|])", r"\\\1", " ".join(text.split()))
