"""Checks the files and folders that a call names: inside the workspace, neither private nor secret."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from fnmatch import fnmatchcase
from itertools import islice
from pathlib import Path

from agent.permissions.bash import Simple, Word
from agent.permissions.errors import PermissionsError
from agent.permissions.paths import Located, Places, holds_private, locate
from agent.permissions.secret_names import secret_part
from agent.permissions.shapes import Use

_MOST_NAMES = 1000
_MOST_SEARCHED = 20_000
_LONGEST_CLUSTER = 64
# What ripgrep reads in each folder and in those around it.
_IGNORE_FILES = (".gitignore", ".ignore", ".rgignore")


def use_objection(use: Use, places: Places, folder: Path, literal: str) -> str:
    """Return why a program must not use this word without a question; empty if it may."""
    # For programs that read files `-` is their input; to those that list names it is a name.
    nameless = ("", "/dev/null", "-") if use.kind in "FRCH" else ("", "/dev/null")
    if use.kind in "TNS" or use.word.text in nameless:
        return ""
    for text in _names(use.word, folder):
        try:
            located = locate(places, text, folder=folder)
        except PermissionsError as error:
            return str(error)
        problem = _place_objection(text, located, literal)
        problem = problem or _kind_objection(text, use, located, places, literal)
        if problem:
            return problem
    return ""


def words_objection(simple: Simple, places: Places, folder: Path, literal: str) -> str:
    """The same for a program of unknown shape: everything in its words that might name a file."""
    candidates = (candidate for word in simple.words[1:] for candidate in _candidates(word, folder))
    for candidate in dict.fromkeys(candidates):
        if candidate in ("", "/dev/null") or (len(candidate) > 255 and "/" not in candidate):
            continue
        try:
            located = locate(places, candidate, folder=folder)
        except PermissionsError as error:
            # A dollar or tilde that bash was told to leave alone is only text.
            if candidate.startswith("$") or (candidate[0] in "~\\" and "/" not in candidate):
                continue
            return str(error)
        problem = _place_objection(candidate, located, literal) or _secret_objection(located, literal)
        if problem:
            return problem
    return ""


def _place_objection(text: str, located: Located, literal: str) -> str:
    if located.internal:
        return f"{text} is inside .git or .wakeful"
    if located.inside or located.readable or _spelled(str(located.path), literal):
        return ""
    return f"{text} is outside the workspace"


def _spelled(path: str, literal: str) -> bool:
    """True if the rule itself spells the place out; its last word may end in the middle of a name."""
    words = [word for word in literal.split() if word.startswith("/")]
    beginning = words.pop() if words and not literal.endswith(words[-1] + " ") else None
    if beginning and path.startswith(beginning):
        return True
    return any(path == word or path.startswith(word.rstrip("/") + "/") for word in words)


def _kind_objection(text: str, use: Use, located: Located, places: Places, literal: str) -> str:
    if use.kind == "R" and located.path.is_dir():
        return f"{text} is a folder, in which links may lead elsewhere"
    if use.kind in "DCH" and holds_private(places, located.path):
        return f"{text} holds Wakeful's own files"
    problem = _secret_objection(located, literal) if use.kind in "FRCH" else ""
    if not problem and use.kind in "CH":
        return _search_objection(located.path, places, hidden=use.kind == "C")
    return problem


def _secret_objection(located: Located, literal: str) -> str:
    secret = located.secret
    return f"{secret} may hold secrets" if secret and secret not in literal.casefold() else ""


def _search_objection(folder: Path, places: Places, *, hidden: bool) -> str:
    """A search prints what it finds, so that no secret may be among the files."""
    above = [] if hidden else [shown for place in (folder, *folder.parents) for shown in _shown_in(place)]
    waiting, left = [(str(folder), above)], _MOST_SEARCHED
    while waiting:
        place, shown = waiting.pop()
        try:
            entries = list(os.scandir(place))
        except OSError:
            continue
        left -= len(entries)
        if left < 0:
            return f"{folder} holds too many files to look for secrets first"
        if not hidden and any(entry.name in (".git", *_IGNORE_FILES) for entry in entries):
            shown = [*shown, *_shown_in(Path(place))]
        for entry in entries:
            if entry.name == ".git":
                continue
            if entry.name.startswith(".") and not (hidden or _may_show(shown, entry.name)):
                continue
            if secret_part((place.rpartition("/")[2], entry.name)) or _linked_secret(entry, places):
                return f"{entry.name} may hold secrets"
            if entry.is_dir(follow_symlinks=False):
                waiting.append((entry.path, shown))
    return ""


def _shown_in(folder: Path) -> list[str]:
    """The last names of the patterns with which ignore files bring files back: even hidden ones."""
    found: list[str] = []
    for name in (*_IGNORE_FILES, ".git/info/exclude"):
        with suppress(OSError):
            file = folder / name
            lines = file.read_text("utf-8-sig", errors="replace").split("\n") if file.is_file() else []
            found += [line[1:].strip().rstrip("/").rpartition("/")[2] for line in lines if line[:1] == "!"]
    return found


def _may_show(patterns: Sequence[str], name: str) -> bool:
    return any(re.search(r"[\\\[{]", pattern) or fnmatchcase(name, pattern) for pattern in patterns)


def _linked_secret(entry: os.DirEntry[str], places: Places) -> bool:
    """True if the file has a further name, which may be that of a file outside or of a private one."""
    try:
        further = entry.is_file(follow_symlinks=False) and entry.stat(follow_symlinks=False).st_nlink > 1
        return further and bool(locate(places, entry.path).secret)
    except (OSError, PermissionsError):
        return True


def _names(word: Word, folder: Path) -> Iterator[str]:
    """What the word may become; bash leaves a pattern without a match as it is."""
    if not word.glob:
        yield word.text
        return
    base = Path("/") if word.text.startswith("/") else folder
    found = [str(path) for path in islice(base.glob(word.text.lstrip("/")), _MOST_NAMES + 1)]
    yield from found if len(found) <= _MOST_NAMES else ["/"]
    yield re.split(r"[*?]", word.text)[0]


def _candidates(word: Word, folder: Path) -> Iterator[str]:
    yield from _names(word, folder)
    if word.glob:
        return
    for separator in "=:@":
        yield word.text.partition(separator)[2]
    if word.text.startswith("-"):
        # Letters may stand together, and the last one's value beside them.
        yield from (word.text[start:] for start in range(2, min(len(word.text), _LONGEST_CLUSTER)))
