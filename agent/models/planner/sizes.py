"""Finds the largest files; without a shell, the longest of the newest."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from agent.models.planner.files import count_lines, counted, glob, read, read_glob
from agent.models.planner.quoting import inline
from agent.models.planner.work import Answer, Ask, Item, Work, read_run

SHOWN = 10
READ = 40
LEFT_OUT = (".git", "node_modules", ".venv", "__pycache__", "target")

_FILTERS = " ".join(f"-not -path '*/{name}/*'" for name in LEFT_OUT)
# The seventh column of `find -ls` is the size on Linux and macOS alike.
COMMAND = f"find . -type f {_FILTERS} -ls | sort -k7 -rn | head -n {SHOWN}"

_ROW = re.compile(r"\s*\d+\s+\d+\s+\S+\s+\d+\s+\S+\s+\S+\s+(?P<size>\d+)\s+\S+\s+\S+\s+\S+\s+\./(?P<path>.+)")


@dataclass
class LargestFiles:
    aim = "find the largest files"
    sizes: list[tuple[str, int]] = field(default_factory=list[tuple[str, int]])
    lengths: dict[str, int | None] = field(default_factory=dict[str, int | None])
    count: int = 0
    problem: str = ""

    @property
    def items(self) -> tuple[Item, ...]:
        return (
            Item("Measure the files", self._measure),
            Item("Count the lines of the largest", self._count),
        )

    def report(self) -> str:
        head = "## Largest files"
        if self.sizes:
            rows = [
                f"| {inline(path)} | {size:,} | {_shown(self.lengths.get(path))} |"
                for path, size in self.sizes
            ]
            out = ", ".join(LEFT_OUT)
            table = "\n".join(["| file | bytes | lines |", "|---|---:|---:|", *rows])
            return f"{head}\n\n{table}\n\nFolders left out: {out}."
        if not self.problem:
            return f"{head}\n\nThere are no files here."
        longest = sorted(
            ((length, path) for path, length in self.lengths.items() if length is not None), reverse=True
        )
        if not longest:
            return f"{head}\n\nNothing could be measured: {self.problem}"
        rows = [f"| {inline(path)} | {length:,} |" for length, path in longest[:SHOWN]]
        table = "\n".join(["| file | lines |", "|---|---:|", *rows])
        looked = f"the newest {len(self.lengths)} of {counted(self.count, 'file')}"
        return f"{head}\n\nSizes in bytes are not known: {self.problem}\n\nBy length, of {looked}:\n\n{table}"

    def _measure(self) -> Work:
        (answer,) = yield (Ask("shell", {"command": COMMAND}),)
        ran = read_run(answer)
        if not answer.failed and ran.code == 0:
            self._read(ran.output)
            return ""
        self.problem = answer.reason
        (answer,) = yield (glob("*"),)
        found = read_glob(answer)
        self.count = found.count
        self.lengths = dict.fromkeys(found.paths[:READ])
        return "" if found.paths else self.problem

    def _count(self) -> Work:
        paths = [path for path, _ in self.sizes] or list(self.lengths)
        if not paths:
            return self.problem
        answers = yield tuple(read(path, 1) for path in paths)
        self.lengths = {path: _length(answer) for path, answer in zip(paths, answers, strict=True)}
        return ""

    def _read(self, output: str) -> None:
        for line in output.splitlines():
            row = _ROW.fullmatch(line)
            if row:
                self.sizes.append((re.sub(r"\\(.)", r"\1", row["path"]), int(row["size"])))


def _length(answer: Answer) -> int | None:
    return None if "attached" in answer.text and "\t" not in answer.text else count_lines(answer)


def _shown(length: int | None) -> str:
    return "not text" if length is None else f"{length:,}"
