"""A summary that needs no model: what was asked, done and said last, taken as it stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from agent.context import sizes
from agent.context.attachments import name_of
from agent.context.compaction import told
from agent.context.cuts import cut
from agent.context.pages import page
from agent.context.trimming import MARKER
from agent.models.loose import as_dict, parse
from store.records import Message, Part

_ASKED = 1_500
_SAID = 3_000
_EARLIER = 6_000
_CALL = 160
_CALLS = 60


def outline(messages: Sequence[Message], budget: int) -> str:
    """At most about `budget` tokens."""
    sections = [
        ("Before that", _earlier(messages)),
        ("Asked by the user", _asked(messages)),
        ("Done, newest last", _done(messages)),
        ("Said last", _said(messages)),
    ]
    written = [f"## {title}\n{text}" for title, text in sections if text]
    return cut("\n\n".join([page("outline"), *written]), budget * sizes.BYTES, MARKER)


def _earlier(messages: Sequence[Message]) -> str:
    summaries = [told(message) for message in messages if message.origin == "summary"]
    # That no model wrote it is said once.
    return cut(summaries[-1].removeprefix(page("outline")).strip(), _EARLIER, MARKER) if summaries else ""


def _asked(messages: Iterable[Message]) -> str:
    asked = [_request(message) for message in messages if message.origin == "human"]
    return "\n".join(f"- {text}" for text in asked if text)


def _request(message: Message) -> str:
    files = [f"[with {name_of(part)}]" for part in message.parts if part.kind == "file"]
    return " ".join([each for each in (cut(message.text.strip(), _ASKED, MARKER), *files) if each])


def _done(messages: Sequence[Message]) -> str:
    calls = list(_calls(messages))
    lines = [f"- {_call(part)}" for part in calls[-_CALLS:]]
    return "\n".join([*([f"- … {len(calls) - _CALLS} calls before"] if len(calls) > _CALLS else []), *lines])


def _calls(messages: Iterable[Message]) -> Iterator[Part]:
    return (part for message in messages for part in message.parts if part.kind == "tool")


def _call(part: Part) -> str:
    try:
        arguments = as_dict(parse(part.input or ""))
    except ValueError:
        arguments = {}
    words = " ".join(f"{name}={value}" for name, value in arguments.items())
    line = " ".join(f"{part.tool} {words}".split())
    shown = line if len(line) <= _CALL else f"{line[: _CALL - 1]}…"
    return shown if part.status == "completed" else f"{shown} ({part.status})"


def _said(messages: Sequence[Message]) -> str:
    texts = [message.text.strip() for message in messages if message.role == "assistant"]
    said = [text for text in texts if text]
    return cut(said[-1], _SAID, MARKER) if said else ""
