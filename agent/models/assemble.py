"""Puts the pieces of streamed tool calls together into calls that can be run and sent back safely."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable
from typing import Any, cast

from agent.models.loose import parse
from agent.models.protocol import CallDelta, ChatCall
from store.frozen import frozen


@frozen
class Call:
    """One whole call. `input` is None when the arguments are unusable; `problem` then tells the model why."""

    id: str
    name: str
    arguments: str
    input: dict[str, Any] | None
    problem: str | None = None

    def as_chat(self) -> ChatCall:
        """Arguments that are no JSON object are wrapped, since providers refuse to be sent them back."""
        readable = self.input is not None and self.arguments.startswith("{")
        value = self.input if self.input is not None else {"unreadable": self.arguments}
        arguments = self.arguments if readable else json.dumps(value)
        return {"id": self.id, "type": "function", "function": {"name": self.name, "arguments": arguments}}


def assemble(deltas: Iterable[CallDelta], taken: Collection[str] = ()) -> tuple[Call, ...]:
    """Whole calls in the order of their first pieces; ids are made unique also against `taken`."""
    pieces: dict[int, list[CallDelta]] = {}
    for delta in deltas:
        pieces.setdefault(delta.index, []).append(delta)
    used = set(taken)
    calls: list[Call] = []
    for group in pieces.values():
        identity = _unique(next((piece.id for piece in group if piece.id), ""), used)
        used.add(identity)
        name = "".join(piece.name for piece in group)
        calls.append(whole(identity, name, "".join(piece.arguments for piece in group)))
    return tuple(calls)


def whole(identity: str, name: str, arguments: str) -> Call:
    value, problem = _read(arguments)
    # A name the provider would refuse in the next request is answered as an unknown tool instead.
    safe = re.sub(r"[^A-Za-z0-9_-]", "_", name)[:64] or "unnamed"
    return Call(identity, safe, arguments, value, problem)


def _unique(identity: str, used: Collection[str]) -> str:
    base = identity or "call"
    candidate, number = base, 1
    while candidate in used or candidate == "call":
        number += 1
        candidate = f"{base}_{number}"
    return candidate


def _read(arguments: str) -> tuple[dict[str, Any] | None, str | None]:
    if not arguments.strip():
        return {}, None
    try:
        value = parse(arguments, strict=True)
        # Small models tend to encode the object a second time, as a string.
        value = parse(value, strict=True) if isinstance(value, str) else value
    except ValueError as error:
        return None, f"the arguments are not valid JSON ({error}); send one JSON object"
    if not isinstance(value, dict):
        return None, "the arguments are not a JSON object; send one JSON object"
    return cast("dict[str, Any]", value), None
