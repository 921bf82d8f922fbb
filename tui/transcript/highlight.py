"""Colours code line by line, and can go on later where it stopped."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from pygments.lexer import Lexer, RegexLexer

State = tuple[str, ...]
# A role of the palette and the text it colours.
Piece = tuple[str, str]

_Action = Callable[["Lexer", "re.Match[str]"], "Iterator[tuple[int, object, str]]"] | tuple[str, ...] | None
_Change = str | int | tuple[str, ...] | None
_Rule = tuple[Callable[[str, int], "re.Match[str] | None"], _Action, _Change]

START: State = ("root",)
# Some patterns take quadratic time on long lines, and nobody reads those.
LONGEST_LINE = 1_000


_ROLES = {
    "Keyword.Type": "builtin",
    "Keyword.Constant": "number",
    "Keyword": "keyword",
    "Literal.String": "string",
    "Literal.Number": "number",
    "Comment": "comment",
    "Name.Function": "name",
    "Name.Class": "name",
    "Name.Decorator": "name",
    "Name.Attribute": "name",
    "Name.Tag": "keyword",
    "Name.Builtin": "builtin",
    "Name.Exception": "builtin",
    "Name.Constant": "number",
    "Operator.Word": "keyword",
    "Operator": "operator",
    "Punctuation": "operator",
    "Generic.Deleted": "error",
    "Generic.Inserted": "ok",
    "Generic.Heading": "heading",
    "Generic.Subheading": "accent",
    "Generic.Prompt": "dim",
}


def highlight(language: str, lines: Sequence[str], state: State = START) -> tuple[list[list[Piece]], State]:
    """The pieces of each line, and the state to go on from."""
    lexer = lexer_named(language) if language else None
    if lexer is None or any(len(line) > LONGEST_LINE for line in lines):
        return [[("text", line)] for line in lines], START
    found: list[list[Piece]] = [[]]
    run = _Run(lexer, state)
    for role, text in run.tokens("\n".join(lines) + "\n"):
        head, *rest = text.split("\n")
        if head and found[-1] and found[-1][-1][0] == role:
            found[-1][-1] = (role, found[-1][-1][1] + head)
        elif head:
            found[-1].append((role, head))
        found += [[(role, line)] if line else [] for line in rest]
    return found[: len(lines)], run.state


def warm(languages: Iterable[str] = ("python", "bash", "json", "javascript", "diff")) -> None:
    """The first use of a language costs about 30 ms, better spent before somebody waits for it."""
    # With the first reply comes the first Markdown.
    import_module("markdown_it")
    for language in languages:
        highlight(language, ["x"])


@cache
def lexer_named(language: str) -> Lexer | None:
    from pygments.lexers import find_lexer_class_by_name
    from pygments.util import ClassNotFound

    try:
        return find_lexer_class_by_name(language)()
    except ClassNotFound:
        return None


@cache
def language_of(path: str) -> str:
    """The language a file of that name is written in, or nothing."""
    from pygments.lexers import find_lexer_class_for_filename

    found = find_lexer_class_for_filename(path)
    return found.aliases[0] if found and found.aliases else ""


@cache
def _role(token: object) -> str:
    name = str(token).removeprefix("Token.")
    while name:
        if name in _ROLES:
            return _ROLES[name]
        name = name.rpartition(".")[0]
    return "text"


class _Run:
    """Applies a lexer's rules from any state; the loop of Pygments keeps the last state to itself."""

    def __init__(self, lexer: Lexer, state: State) -> None:
        from pygments.lexer import ExtendedRegexLexer, RegexLexer

        self._lexer = lexer
        resumable = isinstance(lexer, RegexLexer) and not isinstance(lexer, ExtendedRegexLexer)
        self._rules = _rules(cast("RegexLexer", lexer)) if resumable else None
        self.state = state if self._rules and all(name in self._rules for name in state) else START

    def tokens(self, text: str) -> Iterator[Piece]:
        rules = self._rules
        if rules is None:
            yield from ((_role(token), value) for _, token, value in self._lexer.get_tokens_unprocessed(text))
            return
        at = 0
        while at < len(text):
            for rule in rules[self.state[-1]]:
                match = rule[0](text, at)
                if match:
                    break
            else:
                if text[at] == "\n":
                    self.state = START
                yield "text", text[at]
                at += 1
                continue
            yield from self._acted(rule[1], match)
            at = match.end()
            if rule[2] is not None:
                self.state = _changed(self.state, rule[2])

    def _acted(self, action: _Action, match: re.Match[str]) -> Iterator[Piece]:
        # A token is a tuple of its names.
        if isinstance(action, tuple):
            yield _role(cast("object", action)), match.group()
        elif action is not None:
            yield from ((_role(token), value) for _, token, value in action(self._lexer, match))


def _rules(lexer: RegexLexer) -> dict[str, list[_Rule]]:
    return cast("dict[str, list[_Rule]]", getattr(lexer, "_tokens"))  # noqa: B009


def _changed(state: State, change: _Change) -> State:
    match change:
        case None:
            return state
        case "#push":
            return (*state, state[-1])
        case "#pop":
            return state[:-1] or START
        case int():
            return state[:change] or state[:1]
        case str():
            return (*state, change)
        case _:
            for each in change:
                state = _changed(state, each)
            return state
