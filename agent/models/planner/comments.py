"""Finds the comments in which somebody left work for later."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

from agent.models.planner.files import counted
from agent.models.planner.quoting import inline
from agent.models.planner.work import Answer, Ask, Item, Work, no_asks

PATTERN = r"\b(TODO|FIXME|XXX|HACK)\b"
SHOWN = 25

_MATCH = re.compile(r"(?P<path>.+?):(?P<line>\d+): (?P<text>.*)")


@dataclass
class FindComments:
    aim = "find TODO, FIXME, XXX and HACK comments"
    lines: list[tuple[str, str, str]] = field(default_factory=list[tuple[str, str, str]])
    capped: bool = False
    problem: str = ""

    @property
    def items(self) -> tuple[Item, ...]:
        return (
            Item("Search the files for TODO, FIXME, XXX and HACK", self._search),
            Item("Count the findings by word and by file", no_asks),
        )

    def report(self) -> str:
        head = "## Work left in comments"
        if self.problem:
            return f"{head}\n\nThe search did not work: {self.problem}"
        if not self.lines:
            return (
                f"{head}\n\nNo file that is searched holds TODO, FIXME, XXX or HACK (ignored files are not)."
            )
        words = Counter(word for _, _, text in self.lines for word in set(re.findall(PATTERN, text)))
        paths = Counter(path for path, _, _ in self.lines)
        more = "More than " if self.capped else ""
        counts = ", ".join(f"{word} {count}" for word, count in words.most_common())
        result = [
            head,
            f"{more}{counted(len(self.lines), 'line')} in {counted(len(paths), 'file')}: {counts}.",
            "\n".join(f"- {inline(path)}: {count}" for path, count in paths.most_common(10)),
            "\n".join(
                f"- {inline(f'{path}:{line}')} {inline(text)}" for path, line, text in self.lines[:SHOWN]
            ),
        ]
        if len(self.lines) > SHOWN:
            result.append(f"… and {len(self.lines) - SHOWN} more lines that are not shown here.")
        return "\n\n".join(result)

    def _search(self) -> Work:
        (answer,) = yield (Ask("grep", {"pattern": PATTERN}),)
        if answer.failed:
            self.problem = answer.reason
            return self.problem
        self._read(answer)
        return ""

    def _read(self, answer: Answer) -> None:
        for line in answer.lines():
            match = _MATCH.fullmatch(line)
            if match:
                self.lines.append((match["path"], match["line"], match["text"].strip()))
            self.capped = self.capped or line.startswith("(more than ")
