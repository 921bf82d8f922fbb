"""Tables of file names, matched the way a lenient file system would match them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence


class NameTable:
    """Rows of names. `a/b` needs both after each other, `*` is any text within a name, in any case.

    A row that ends in `/` stands for a folder and everything in it; any other row for the last name alone.
    """

    def __init__(self, rows: str) -> None:
        self.rows = tuple(rows.split())
        files = "|".join(_pattern(row) for row in self.rows if not row.endswith("/"))
        folders = "|".join(_pattern(row[:-1]) for row in self.rows if row.endswith("/"))
        self._expression = re.compile(f"(?:^|/)(?:(?P<file>{files})$|(?P<folder>{folders})(?=/|$))")

    def find(self, parts: Sequence[str]) -> str:
        """The part of the path that matches a row; empty where there is none."""
        found = self._expression.search("/".join(map(folded, parts)))
        return (found["file"] or found["folder"]) if found else ""


def folded(part: str) -> str:
    """Some file systems ignore case, width, invisible characters, and blanks or dots at the end."""
    kept = "".join(c for c in unicodedata.normalize("NFKC", part) if unicodedata.category(c) != "Cf")
    return kept.casefold().partition(":")[0].rstrip(" .")


def plain_rows(table: NameTable) -> Iterable[str]:
    """The rows without wildcards, as paths below a folder: for callers that need names, not a test."""
    return (row.rstrip("/") for row in table.rows if "*" not in row)


def _pattern(row: str) -> str:
    return "[^/]*".join(re.escape(piece) for piece in row.split("*"))
