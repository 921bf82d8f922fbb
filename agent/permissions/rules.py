"""Rules are text a person can read back: what they say, what they match and which one wins."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Literal, get_args

from agent.permissions.errors import PermissionsError
from store.frozen import frozen
from store.records import Verdict

Layer = Literal["builtin", "global", "agent", "session"]
_LAYERS: tuple[Layer, ...] = get_args(Layer)
_VERDICTS: tuple[Verdict, ...] = get_args(Verdict)


@frozen
class Rule:
    """`*` in a pattern stands for any text and `\\*` for a star; all else stands for itself."""

    tool: str
    pattern: str
    verdict: Verdict = "allow"
    layer: Layer = "global"

    def __str__(self) -> str:
        return f"{self.verdict} {self.tool} {self.pattern}"

    @property
    def exact(self) -> bool:
        return _star(self.pattern) is None

    @property
    def literal(self) -> str:
        """The text that a wildcard rule is certain about: all before its first star."""
        return self.pattern[: _star(self.pattern)].replace("\\*", "*")

    @property
    def weight(self) -> tuple[int, int, bool]:
        """A later layer outweighs an earlier one, then the longer text, then asking over allowing."""
        return _LAYERS.index(self.layer), len(self.pattern.replace("*", "")), self.verdict == "ask"

    def concerns(self, tool: str, access: str) -> bool:
        return self.tool in (tool, access, "*")

    def matches(self, text: str) -> bool:
        return _expression(self.pattern).fullmatch(text) is not None


def parse_rule(text: str, layer: Layer = "global") -> Rule:
    """Reads `TOOL PATTERN`, with `allow` (the default), `ask` or `deny` before it; `deny TOOL` means all."""
    rest = text.strip()
    first, _, after = rest.partition(" ")
    named: Verdict | None = next((known for known in _VERDICTS if known == first), None)
    tool, _, pattern = (after if named else rest).strip().partition(" ")
    if named and tool and not pattern:
        pattern = "*"
    if not tool or not pattern.strip():
        raise PermissionsError(f"'{text}' is not a rule; write TOOL PATTERN, such as: shell git log*")
    return Rule(tool, pattern.strip(), named or "allow", layer)


def parse_rules(texts: Iterable[str], layer: Layer = "global") -> tuple[Rule, ...]:
    return tuple(parse_rule(text, layer) for text in texts)


def by_weight(rules: Iterable[Rule]) -> list[Rule]:
    return sorted(rules, key=lambda rule: rule.weight, reverse=True)


def escape(text: str) -> str:
    """The pattern that matches this text and no other."""
    return text.replace("*", "\\*")


def _star(pattern: str) -> int | None:
    found = re.search(r"(?<!\\)\*", pattern)
    return found.start() if found else None


@lru_cache(maxsize=512)
def _expression(pattern: str) -> re.Pattern[str]:
    body, tail = (pattern[:-2], "(?: .*)?") if pattern.endswith(" *") else (pattern, "")
    pieces = (".*" if piece == "*" else re.escape(piece.replace("\\*", "*")) for piece in _pieces(body))
    return re.compile("".join(pieces) + tail, re.DOTALL)


def _pieces(pattern: str) -> list[str]:
    return re.split(r"((?<!\\)\*)", pattern)
