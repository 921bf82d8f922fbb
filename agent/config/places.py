"""Finds where in a TOML file a key and its value stand, which tomllib does not tell."""

from __future__ import annotations

import re
import tomllib

from store.frozen import frozen

Key = tuple[str | int, ...]

_SPACE = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_BLANK = re.compile(r"[ \t]*")
_KEY_PART = re.compile(r'"(?:\\.|[^"\\])*"|\'[^\']*\'|[A-Za-z0-9_-]+')
_STRING = re.compile(
    r"""
      \"{3} (?: \\. | [^\\] )*? \"{3} (?!\")
    | '{3} .*? '{3} (?!')
    | \" (?: \\. | [^"\\] )* \"
    | ' [^']* '
    """,
    re.DOTALL | re.VERBOSE,
)
# Numbers, booleans and dates, which may hold one blank between date and time.
_BARE = re.compile(r"[^\s,\]}#]+(?: \d{2}:[^\s,\]}#]+)?")


@frozen
class Place:
    """`line` counts from 1; `start` and `end` enclose the value, `section` is the header it stands under."""

    line: int
    start: int
    end: int
    section: Key


@frozen
class Header:
    """A `[table]` line; `end` is just behind the last thing that belongs to it."""

    line: int
    end: int


@frozen
class Places:
    keys: dict[Key, Place]
    headers: dict[Key, Header]

    def line(self, key: Key) -> int | None:
        """The line of the key, or of the first thing inside it, or of the nearest thing around it."""
        for length in range(len(key), 0, -1):
            part = key[:length]
            found = self.keys.get(part) or self.headers.get(part)
            if found:
                return found.line
            inside = [place.line for each, place in self.keys.items() if each[:length] == part]
            inside += [header.line for each, header in self.headers.items() if each[:length] == part]
            if inside:
                return min(inside)
        return None


def find_places(text: str) -> Places:
    """`text` must be valid TOML: tomllib has read it before anyone asks where something stands."""
    scanner = _Scanner(text)
    scanner.read_document()
    return Places(scanner.keys, scanner.headers)


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.section: Key = ()
        self.keys: dict[Key, Place] = {}
        self.headers: dict[Key, Header] = {(): Header(1, 0)}
        self.counts: dict[Key, int] = {}

    def read_document(self) -> None:
        self.skip(_SPACE)
        while self.at < len(self.text):
            if self.text[self.at] == "[":
                self.read_header()
            else:
                self.read_pair(self.section)
            header = self.headers[self.section]
            self.headers[self.section] = Header(header.line, self.at)
            self.skip(_SPACE)

    def read_header(self) -> None:
        line = self.line()
        many = self.text.startswith("[[", self.at)
        self.at += 2 if many else 1
        key = self.inside_arrays(self.read_key(), whole=not many)
        if many:
            self.counts[key] = self.counts.get(key, -1) + 1
            key = (*key, self.counts[key])
        self.skip(_BLANK)
        self.at += 2 if many else 1
        self.section = key
        self.headers[key] = Header(line, self.at)

    def inside_arrays(self, key: Key, *, whole: bool) -> Key:
        """`[a.b]` after `[[a]]` means b of the newest a."""
        found: Key = ()
        for index, part in enumerate(key):
            found = (*found, part)
            if found in self.counts and (whole or index < len(key) - 1):
                found = (*found, self.counts[found])
        return found

    def read_pair(self, around: Key) -> None:
        line = self.line()
        key = (*around, *self.read_key())
        self.skip(_BLANK)
        self.at += len("=")
        self.skip(_BLANK)
        self.read_value(key, line)

    def read_key(self) -> Key:
        parts: list[str] = []
        while True:
            self.skip(_BLANK)
            part = self.take(_KEY_PART)
            parts.append(_unquote(part))
            self.skip(_BLANK)
            if not self.text.startswith(".", self.at):
                return tuple(parts)
            self.at += 1

    def read_value(self, key: Key, line: int) -> None:
        start = self.at
        match self.text[self.at]:
            case "[":
                self.read_array(key)
            case "{":
                self.read_inline_table(key)
            case '"' | "'":
                self.take(_STRING)
            case _:
                self.take(_BARE)
        self.keys[key] = Place(line, start, self.at, self.section)

    def read_array(self, key: Key) -> None:
        self.at += 1
        index = 0
        while self.next_item("]"):
            self.read_value((*key, index), self.line())
            index += 1

    def read_inline_table(self, key: Key) -> None:
        self.at += 1
        while self.next_item("}"):
            self.read_pair(key)

    def next_item(self, closing: str) -> bool:
        self.skip(_SPACE)
        if self.text[self.at] == ",":
            self.at += 1
            self.skip(_SPACE)
        if self.text[self.at] != closing:
            return True
        self.at += 1
        return False

    def line(self) -> int:
        return self.text.count("\n", 0, self.at) + 1

    def skip(self, pattern: re.Pattern[str]) -> None:
        self.take(pattern)

    def take(self, pattern: re.Pattern[str]) -> str:
        match = pattern.match(self.text, self.at)
        assert match, f"not TOML at offset {self.at}"
        self.at = match.end()
        return match.group()


def _unquote(part: str) -> str:
    if part[0] not in "\"'":
        return part
    (name,) = tomllib.loads(f"{part} = 0")
    return name
