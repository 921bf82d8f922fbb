"""Reads a command line the way bash will, or says that it is a puzzle: there is nothing in between."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from store.frozen import frozen

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

LONGEST = 10_000
MOST_COMMANDS = 100
MOST_WORDS = 300

_OPERATORS = frozenset({"&&", "||", ";", "|"})
_STRUCTURE = frozenset({"program", "list", "pipeline", "command", "command_name"})
_WORDS = frozenset({"word", "number", "raw_string", "string", "concatenation"})
_PLAIN = re.compile(r"[A-Za-z0-9_./:,@%+=^-]")
_ESCAPABLE = frozenset(" ()*?;|&<>$\"'\\!{}~#[]")


class _PuzzleError(Exception):
    pass


@frozen
class Word:
    """What the program will receive; with `glob` bash replaces it by the names that match."""

    text: str
    glob: bool = False


@frozen
class Simple:
    """One program and its words; `source` is the very text, `piped` if it reads what another one prints."""

    words: tuple[Word, ...]
    source: str
    piped: bool = False

    @property
    def program(self) -> str:
        return self.words[0].text

    @property
    def arguments(self) -> tuple[str, ...]:
        return tuple(word.text for word in self.words[1:])

    @property
    def text(self) -> str:
        """The canonical spelling that rules are matched against: no two calls share one."""
        return " ".join(_quoted(word.text) for word in self.words)


@frozen
class Line:
    """`commands` is all that would run, unless `puzzle` says why that cannot be known."""

    commands: tuple[Simple, ...]
    puzzle: str = ""


def read_line(command: str) -> Line:
    command = command.strip(" \n")
    puzzle = _strange_text(command)
    if puzzle:
        return Line((), puzzle)
    root = _parser().parse(command.encode()).root_node
    if root.has_error:
        return Line((), "bash grammar errors")
    try:
        commands = tuple(_commands(root, command))
    except _PuzzleError as puzzle:
        return Line((), str(puzzle))
    if len(commands) > MOST_COMMANDS or sum(len(simple.words) for simple in commands) > MOST_WORDS:
        return Line((), f"more than {MOST_COMMANDS} commands or {MOST_WORDS} words")
    return Line(commands)


def loose_commands(command: str) -> list[list[str]]:
    """A generous reading of any text, for rules that deny: too many commands rather than too few."""
    pieces = re.split(r"[;&|\n\r(){}`]|\$\(|[<>]", command)
    read = (re.sub(r"[\"'\\]", "", re.sub(r"\\\n", "", piece)).split() for piece in pieces)
    return [words for words in read if words]


def loose_words(command: str) -> list[str]:
    """Everything in the text that might name a file."""
    bare = re.sub(r"[\"'\\]", "", command)
    return [piece for piece in re.split(r"[\s;&|(){}`<>=,:]+", bare.replace("${HOME}", "$HOME")) if piece]


def _strange_text(command: str) -> str:
    if not command:
        return "nothing to run"
    if len(command) > LONGEST:
        return f"longer than {LONGEST} characters"
    if not command.isascii():
        return "characters outside ASCII"
    if "\n" in command:
        return "more than one line"
    if not command.isprintable():
        return "control characters"
    return ""


def _commands(root: Node, source: str) -> Iterator[Simple]:
    """Every byte must be a word, an operator or a blank; a second reader must see the same tokens."""
    tokens: list[str] = []
    end = 0
    for node in _flat(root):
        gap = source[end : node.start_byte]
        if gap.strip(" ") or (node.type == "command" and tokens and tokens[-1] not in _OPERATORS):
            raise _PuzzleError("text that belongs to no command")
        end = node.end_byte
        if node.type in _OPERATORS:
            tokens.append(node.type)
            continue
        simple = _simple(node, source, piped=bool(tokens) and tokens[-1] == "|")
        tokens.extend(word.text for word in simple.words)
        yield simple
    if source[end:].strip(" ") or tokens != _second_opinion(source):
        raise _PuzzleError("text that can be read in two ways")


def _flat(root: Node) -> Iterator[Node]:
    """The commands and operators in order; a loop, since lists nest as deep as they are long."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.type == "command" or (not node.is_named and node.type in _OPERATORS):
            yield node
        elif node.is_named and node.type in _STRUCTURE:
            waiting.extend(reversed(node.children))
        else:
            raise _PuzzleError(_describe(node.type))


def _simple(node: Node, source: str, *, piped: bool) -> Simple:
    words: list[Word] = []
    end = node.start_byte
    for child in node.children:
        inner = child.children[0] if child.type == "command_name" and child.child_count == 1 else child
        if not inner.is_named or inner.type not in _WORDS:
            raise _PuzzleError(_describe(inner.type))
        if source[end : child.start_byte].strip(" ") or (words and end == child.start_byte):
            raise _PuzzleError("words that touch")
        end = child.end_byte
        words.append(_read_word(source[child.start_byte : end]))
    if end != node.end_byte or not words or words[0].glob:
        raise _PuzzleError("a program that is not named plainly")
    return Simple(tuple(words), source[node.start_byte : node.end_byte], piped)


def _describe(kind: str) -> str:
    return f"a {kind.replace('_', ' ')}" if kind.isidentifier() else f"'{kind}'"


def _read_word(source: str) -> Word:
    text, glob, position = "", False, 0
    while position < len(source):
        character = source[position]
        if character == "'":
            position, piece = _single_quoted(source, position)
        elif character == '"':
            position, piece = _double_quoted(source, position)
        elif character == "\\":
            position, piece = _escaped(source, position)
        else:
            piece = character
            glob = glob or character in "*?"
            if character == "~" and not (position and source[position - 1].isalnum()):
                raise _PuzzleError("a tilde")
            if character not in "*?~" and not _PLAIN.match(character):
                raise _PuzzleError(f"an unquoted {character}")
            position += 1
        text += piece
    # A name that begins with a dash would become an option, and old bash lets `.*` match the parent.
    if glob and (not re.match(r"[A-Za-z0-9_./]", source) or re.search(r"(^|/)\.[^/]*[*?]|\.\.|\*\*", source)):
        raise _PuzzleError("a pattern that may match more than it shows")
    if glob and re.search(r"[\"'\\\[]", source):
        raise _PuzzleError("a pattern with quotes")
    return Word(text, glob)


def _single_quoted(source: str, start: int) -> tuple[int, str]:
    end = source.find("'", start + 1)
    if end < 0:
        raise _PuzzleError("an open quote")
    return end + 1, source[start + 1 : end]


def _double_quoted(source: str, start: int) -> tuple[int, str]:
    text, position = "", start + 1
    while position < len(source) and source[position] != '"':
        character = source[position]
        if character in "$`!":
            raise _PuzzleError(f"{character} inside double quotes")
        if character == "\\":
            following = source[position + 1 : position + 2]
            character = following if following and following in '$`"\\' else f"\\{following}"
            position += 1
        text += character
        position += 1
    if position >= len(source):
        raise _PuzzleError("an open quote")
    return position + 1, text


def _escaped(source: str, start: int) -> tuple[int, str]:
    following = source[start + 1 : start + 2]
    if not following or following not in _ESCAPABLE:
        raise _PuzzleError("a backslash")
    return start + 2, following


def _second_opinion(source: str) -> list[str] | None:
    reader = shlex.shlex(source, posix=True, punctuation_chars=True)
    reader.whitespace, reader.whitespace_split, reader.commenters = " ", True, ""
    try:
        return list(reader)
    except ValueError:
        return None


def _quoted(text: str) -> str:
    return text if re.fullmatch(r"[^\s'\"\\]+", text) else shlex.quote(text)


@cache
def _parser() -> Parser:
    # The grammar costs 50 ms, which a session without shell commands need not pay.
    import tree_sitter_bash
    from tree_sitter import Language, Parser

    return Parser(Language(tree_sitter_bash.language()))
