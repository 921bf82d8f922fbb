"""Outlines one file: what it says of itself, what it defines, and who mentions it."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

from agent.models.planner.files import count_lines, counted, glob, kind, read, read_glob, text_of
from agent.models.planner.quoting import inline, paragraph, sentence
from agent.models.planner.work import Answer, Ask, Item, Work

SHOWN = 30

_DEFINITIONS = {
    "Python": r"\s*(?:async )?(?:def|class) \w+.*",
    "JavaScript": (
        r"\s*(?:export )?(?:default )?(?:async )?(?:function\*?|class) \w+.*|export (?:const|let) \w+.*"
    ),
    "TypeScript": (
        r"\s*(?:export )?(?:default )?(?:abstract )?(?:async )?(?:function|class|interface|type|enum)"
        r" \w+.*|export (?:const|let) \w+.*"
    ),
    "Rust": r"\s*(?:pub(?:\([^)]*\))? )?(?:async )?(?:fn|struct|enum|trait|impl|mod|type)\b.*",
    "Go": r"(?:func|type)\s+.*",
    "Markdown": r"#{1,4} .+",
    "Shell": r"(?:function )?[\w-]+\s*\(\)\s*\{?.*",
    "Ruby": r"\s*(?:def|class|module) .+",
    "SQL": r"\s*create .+",
    "TOML": r"\[.+\]",
    "INI": r"\[.+\]",
    "Makefile": r"[\w.-]+\s*:(?!=).*",
    "Java": r"\s*(?:public|protected|private|abstract|final|static|class|interface|enum|record)\b.*[({].*",
    "C": r"\w[\w\s*]*\([^;]*\)?\s*\{?|(?:struct|enum|typedef|#define)\b.*",
}
_IMPORTS = re.compile(
    r"\s*(?:import\s.+|from\s+\S+\s+import\s.+|use\s+\S+;|#include\s.+|(?:const|let|var)\s.+=\s*require\(.+)"
)
_MATCH = re.compile(r"(?P<path>.+?):\d+: .*")


@dataclass
class ExplainFile:
    path: str
    text: str = ""
    length: int | None = None
    problem: str = ""
    mentions: Counter[str] = field(default_factory=Counter[str])
    searched: str = ""
    capped: bool = False

    @property
    def aim(self) -> str:
        return f"outline {inline(self.path)}"

    @property
    def items(self) -> tuple[Item, ...]:
        name = " ".join(self.path.split())[-120:]
        return (
            Item(f"Read {name}", self._read),
            Item(f"Find where {name} is mentioned", self._mentioned),
        )

    def report(self) -> str:
        head = f"## {inline(self.path)}"
        if self.length is None:
            return f"{head}\n\nI could not read it: {self.problem}"
        parts = [head, f"{kind(self.path)}, {counted(self.length, 'line')}.", *self._contents()]
        if self.mentions:
            rows = "\n".join(f"- {inline(path)}: {count}" for path, count in self.mentions.most_common(10))
            more = " (the search stopped early, there are more)" if self.capped else ""
            parts.append(f"**Lines that mention** {inline(self.searched)}{more}:\n\n{rows}")
        elif self.searched:
            parts.append(f"No other file mentions {inline(self.searched)}.")
        parts.append("This is an outline made by rules; what the file means is for you or a model to say.")
        return "\n\n".join(parts)

    def _contents(self) -> list[str]:
        lines = self.text.split("\n") if self.text else []
        shown = len(lines)
        parts = (
            []
            if self.length is None or shown >= self.length
            else [f"Only its first {shown} lines were read."]
        )
        told = paragraph(self.text) if kind(self.path) in ("Markdown", "Text") else _opening(lines)
        if told:
            parts.append(sentence(told))
        imports = [line.strip() for line in lines if _IMPORTS.fullmatch(line)]
        if imports:
            more = f" and {len(imports) - 12} more" if len(imports) > 12 else ""
            parts.append(f"**Imports**: {', '.join(inline(line, 80) for line in imports[:12])}{more}")
        pattern = _DEFINITIONS.get({"C++": "C"}.get(kind(self.path), kind(self.path)))
        defined = (
            [(at, line) for at, line in enumerate(lines, 1) if re.fullmatch(pattern, line, re.IGNORECASE)]
            if pattern
            else []
        )
        if defined:
            rows = [f"- line {at}: {inline(line.strip(), 100)}" for at, line in defined[:SHOWN]]
            more = [f"- … and {len(defined) - SHOWN} more"] if len(defined) > SHOWN else []
            parts.append("\n".join(["**Outline**:\n", *rows, *more]))
        return parts

    def _read(self) -> Work:
        (answer,) = yield (read(self.path),)
        if answer.failed and not answer.refused and "is a directory" not in answer.text:
            (listed,) = yield (glob(self.path.removeprefix("./").rpartition("/")[2]),)
            paths = sorted(read_glob(listed).paths, key=len)
            if paths:
                self.path = paths[0]
                (answer,) = yield (read(self.path),)
        self._take(answer)
        return f"it could not be read: {self.problem}" if self.length is None else ""

    def _take(self, answer: Answer) -> None:
        numbered = re.match(r"\d+\t", answer.text) or answer.text.startswith("(the file is empty)")
        self.length = count_lines(answer) if numbered else None
        self.text = text_of(answer) if numbered else ""
        self.problem = "" if numbered else answer.reason

    def _mentioned(self) -> Work:
        if self.length is None:
            return f"there is nothing to look for: {self.problem}"
        name = self.path.rpartition("/")[2]
        stem = name.rpartition(".")[0] or name
        self.searched = stem if kind(self.path) == "Python" and len(stem) > 3 and stem != "__init__" else name
        (answer,) = yield (Ask("grep", {"pattern": rf"\b{re.escape(self.searched)}\b"}),)
        if answer.failed:
            self.searched = ""
            return f"the search did not work: {answer.reason}"
        self.capped = "\n(more than " in answer.text
        found = (match["path"] for line in answer.lines() if (match := _MATCH.fullmatch(line)))
        self.mentions = Counter(path for path in found if path != self.path)
        return ""


def _opening(lines: list[str]) -> str:
    """The docstring or the comment a file begins with."""
    text = "\n".join(line for line in lines[:60] if not line.startswith("#!")).strip()
    if found := re.match(r'[rR]?("""|\'\'\')(?P<told>.+?)\1', text, re.DOTALL):
        return found["told"]
    if found := re.match(r"/\*+(?P<told>.+?)\*/|<!--(?P<page>.+?)-->", text, re.DOTALL):
        return re.sub(r"^\s*\*+ ?", "", found["told"] or found["page"], flags=re.MULTILINE)
    if found := re.match(r"(?P<mark>#|//|--|;|%)[^\n]*(?:\n(?P=mark)[^\n]*)*", text):
        return re.sub(r"^(?:#+|//[/!]?|--|;+|%+)\s?", "", found[0], flags=re.MULTILINE)
    return ""
