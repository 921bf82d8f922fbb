"""Reads a request as the planner needs it: which job is on, what was asked for it, and what came back."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from agent.models.loose import as_dict, parse
from agent.models.planner.dialects import SPOKEN, TOOLS
from agent.models.planner.listing import Listed, is_list, read_list
from agent.models.planner.work import Answer, Ask
from agent.models.protocol import ChatMessage, Request
from store.frozen import frozen

Key = tuple[str, str]

_RESUMING = re.compile(
    r"\s*(?:please\s+)?(?:go on|continue|carry on|resume|proceed|keep going)\b.{0,40}", re.IGNORECASE
)
_LAST_STEP = re.compile(r"\blast step\b", re.IGNORECASE)
_FRAME = re.compile(r"^\[/todo\b[^\n]*\n(.*?)^\[END TODO\]\s*$", re.DOTALL | re.MULTILINE)
# What the loop puts in place of a result that never came, or was dropped to save context.
_LOST = ("[interrupted before it finished]", "[interrupted before it began, so it was not run]")
_DROPPED = "[output dropped to save context"
_TRIES = 3


@frozen
class Shown:
    """The list at one point of the conversation; `told` by the user's side, not as the answer to a change."""

    at: int
    told: bool
    items: tuple[Listed, ...]


@dataclass(slots=True)
class Transcript:
    """`wish` is the request that counts, empty when nobody asked anything; `before` the list beside it."""

    wish: str = ""
    before: str = ""
    last_step: bool = False
    said: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])
    shown: list[Shown] = field(default_factory=list[Shown])
    _answers: dict[Key, list[str]] = field(default_factory=dict[Key, list[str]])
    _used: dict[Key, int] = field(default_factory=dict[Key, int])

    def answer(self, ask: Ask) -> Answer | None:
        """The next answer this ask got; None when it has still to be asked."""
        key = _key(ask.tool, ask.arguments)
        texts = self._answers.get(key, [])
        kept = [text for text in texts if not text.rstrip().endswith(_LOST) and not text.startswith(_DROPPED)]
        if len(texts) >= _TRIES:
            kept = texts
        used = self._used.get(key, 0)
        if used >= len(kept):
            return None
        self._used[key] = used + 1
        return Answer(kept[used])

    def said_at(self, text: str) -> int | None:
        return next((at for at, said in self.said if text.strip() and text.strip() in said), None)

    def record(self, tool: str, arguments: dict[str, object], text: str) -> None:
        self._answers.setdefault(_key(tool, arguments), []).append(text)


def read(request: Request, recognised: Callable[[str], bool]) -> Transcript:
    messages = request.messages
    start = _start(messages, recognised)
    transcript = Transcript(text_of(messages[start]) if start >= 0 else "")
    transcript.before = _beside(messages, start)
    transcript.last_step = bool(messages) and messages[-1]["role"] == "user" and _is_last(messages[-1])
    names: dict[str, tuple[str, dict[str, object]]] = {}
    for at in range(start + 1, len(messages)):
        message = messages[at]
        text = text_of(message)
        match message["role"]:
            case "assistant":
                transcript.said.append((at, text))
                names.update(_calls(message))
            case "tool":
                _record_result(transcript, names.get(message.get("tool_call_id", "")), at, text)
            case "user" if is_list(text):
                transcript.shown.append(Shown(at, _FRAME.search(text) is None, read_list(text)))
                _record_lines(transcript, messages[at - 1], text)
            case _:
                pass
    return transcript


def text_of(message: ChatMessage) -> str:
    content = message.get("content")
    if isinstance(content, list):
        return "\n".join(str(part.get("text", "")) for part in content if part.get("type") == "text")
    return content or ""


def _start(messages: Sequence[ChatMessage], recognised: Callable[[str], bool]) -> int:
    """Where the request that counts stands: the newest that is understood, unless a newer one is not."""
    fallback = -1
    for at in range(len(messages) - 1, -1, -1):
        message = messages[at]
        text = text_of(message)
        if message["role"] != "user" or is_list(text) or _is_last(message):
            continue
        if recognised(text):
            return at
        # What is said while tools run is no request of its own: only the end of a turn takes one.
        if messages[at - 1]["role"] == "tool" or _RESUMING.fullmatch(text):
            fallback = fallback if fallback >= 0 else at
            continue
        return at
    return fallback


def _is_last(message: ChatMessage) -> bool:
    return _LAST_STEP.search(text_of(message)) is not None


def _beside(messages: Sequence[ChatMessage], start: int) -> str:
    """The lists the user's side showed together with the request."""
    first, last = max(start, 0), max(start, 0)
    while first > 0 and messages[first - 1]["role"] == "user":
        first -= 1
    while last + 1 < len(messages) and messages[last + 1]["role"] == "user":
        last += 1
    near = (text_of(message) for message in messages[first : last + 1] if message["role"] == "user")
    return "\n".join(text for text in near if is_list(text))


def _calls(message: ChatMessage) -> dict[str, tuple[str, dict[str, object]]]:
    found: dict[str, tuple[str, dict[str, object]]] = {}
    for call in message.get("tool_calls", ()):
        try:
            arguments = as_dict(parse(call["function"]["arguments"] or "{}"))
        except ValueError:
            continue
        found[call["id"]] = (call["function"]["name"], arguments)
    return found


def _record_result(
    transcript: Transcript, call: tuple[str, dict[str, object]] | None, at: int, text: str
) -> None:
    if call is None:
        return
    name, arguments = call
    transcript.record(name, arguments, text)
    if name in TOOLS:
        transcript.shown.append(Shown(at, told=False, items=read_list(text)))


def _record_lines(transcript: Transcript, before: ChatMessage, text: str) -> None:
    lines = [line for line in text_of(before).splitlines() if line.startswith("/todo ")]
    for line, frame in zip(lines, _FRAME.findall(text), strict=False):
        transcript.record(SPOKEN, {"line": line}, frame.strip())


def _key(tool: str, arguments: dict[str, object]) -> Key:
    return tool, json.dumps(arguments, sort_keys=True)
