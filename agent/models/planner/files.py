"""Reads what the file tools answer."""

from __future__ import annotations

import re

from agent.models.planner.work import Answer, Ask
from store.frozen import frozen

_MORE = re.compile(r"\A\(newest \d+ of (\d+);")
_LINES = re.compile(r"^\(lines \d+-\d+ of (\d+);[^\n]*\)\Z", re.MULTILINE)

KINDS = {
    "py": "Python", "pyi": "Python", "js": "JavaScript", "mjs": "JavaScript", "cjs": "JavaScript",
    "jsx": "JavaScript", "ts": "TypeScript", "tsx": "TypeScript", "rs": "Rust", "go": "Go", "java": "Java",
    "kt": "Kotlin", "swift": "Swift", "c": "C", "h": "C", "cc": "C++", "cpp": "C++", "hpp": "C++", "cs": "C#",
    "rb": "Ruby", "php": "PHP", "lua": "Lua", "pl": "Perl", "r": "R", "jl": "Julia", "hs": "Haskell",
    "ex": "Elixir", "exs": "Elixir", "erl": "Erlang", "clj": "Clojure", "scala": "Scala", "zig": "Zig",
    "dart": "Dart", "sh": "Shell", "bash": "Shell", "sql": "SQL", "html": "HTML", "css": "CSS",
    "scss": "CSS", "vue": "Vue", "svelte": "Svelte", "md": "Markdown", "rst": "reStructuredText",
    "txt": "Text", "json": "JSON", "yaml": "YAML", "yml": "YAML", "toml": "TOML", "xml": "XML",
    "ini": "INI", "cfg": "INI", "csv": "CSV", "svg": "SVG", "png": "Image", "jpg": "Image", "gif": "Image",
    "ipynb": "Notebook", "proto": "Protobuf", "tf": "Terraform", "nix": "Nix",
}  # fmt: skip


@frozen
class Found:
    """Paths a glob listed, and how many match in all."""

    paths: tuple[str, ...] = ()
    count: int = 0

    @property
    def whole(self) -> bool:
        return self.count == len(self.paths)


def glob(pattern: str) -> Ask:
    return Ask("glob", {"pattern": pattern})


def read_glob(answer: Answer) -> Found:
    if answer.failed or answer.text.startswith("no file matches "):
        return Found()
    paths: list[str] = []
    count = 0
    for line in answer.lines():
        more = _MORE.match(line)
        if more:
            count = int(more[1])
        else:
            paths.append(line)
    return Found(tuple(paths), count or len(paths))


def read(path: str, limit: int | None = None) -> Ask:
    arguments: dict[str, object] = {"path": path}
    return Ask("read", arguments if limit is None else {**arguments, "limit": limit})


def text_of(answer: Answer) -> str:
    """The lines shown, without their numbers."""
    shown = (line.partition("\t") for line in _LINES.sub("", answer.text).split("\n"))
    return "\n".join(text for number, tab, text in shown if tab and number.isdecimal())


def count_lines(answer: Answer) -> int | None:
    """How long the whole file is; None when it is not text."""
    if answer.failed:
        return None
    more = _LINES.search(answer.text)
    if more:
        return int(more[1])
    return 0 if answer.text.startswith("(the file is empty)") else len(text_of(answer).split("\n"))


def kind(path: str) -> str:
    name = path.rpartition("/")[2]
    stem, dot, suffix = name.rpartition(".")
    if not dot or not stem:
        return name if name in ("Makefile", "Dockerfile") else "Other"
    return KINDS.get(suffix.lower(), f".{suffix.lower()[:12]}")


def counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
