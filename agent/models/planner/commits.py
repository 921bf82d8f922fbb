"""Summarises what git remembers of the last commits."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

from agent.models.planner.files import counted
from agent.models.planner.quoting import inline
from agent.models.planner.work import Answer, Ask, Item, Work, no_asks, read_run

MOST = 100
DEFAULT = 20
SHOWN = 20
TOUCHED = 8


@dataclass
class SummariseCommits:
    words: str
    commits: list[list[str]] = field(default_factory=list[list[str]])
    files: Counter[str] = field(default_factory=Counter[str])
    total: int | None = None
    absence: str = ""
    problem: str = ""

    @property
    def aim(self) -> str:
        return f"summarise the last {self._wanted} commits"

    @property
    def items(self) -> tuple[Item, ...]:
        return (
            Item("Read the commit log", self._log),
            Item("See which files the commits touched", self._touched),
            Item("Summarise the history", no_asks),
        )

    def report(self) -> str:
        head = "## Recent git history"
        if self.problem or self.absence:
            return f"{head}\n\n{self.absence or f'The log could not be read: {self.problem}'}"
        dates = [commit[1] for commit in self.commits]
        authors = Counter(commit[2] for commit in self.commits)
        of = f" of {self.total:,}" if self.total is not None else ""
        who = ", ".join(f"{inline(name, 40)} {count}" for name, count in authors.most_common(8))
        parts = [
            head,
            f"The last {counted(len(self.commits), 'commit')}{of}, from {min(dates)} to {max(dates)}.",
            f"**Authors**: {who}",
            "\n".join(
                f"- {commit[0]} {commit[1]} {inline(commit[3], 100)}" for commit in self.commits[:SHOWN]
            ),
        ]
        if len(self.commits) > SHOWN:
            parts.append(f"… and {len(self.commits) - SHOWN} more that are not shown here.")
        if self.files:
            rows = "\n".join(f"- {inline(path)}: {count}" for path, count in self.files.most_common(TOUCHED))
            parts.append(f"**Files touched most often** by these commits:\n\n{rows}")
        return "\n\n".join(parts)

    @property
    def _wanted(self) -> int:
        number = re.search(r"\b(\d{1,6})\s+(?:\w+\s+)?commits\b", self.words)
        return min(max(1, int(number[1])), MOST) if number else DEFAULT

    def _log(self) -> Work:
        form = "--pretty=tformat:%h%x09%ad%x09%an%x09%s"
        command = f"git --no-pager log --no-color --date=short {form} -n {self._wanted}"
        log, count = yield (
            Ask("shell", {"command": command}),
            Ask("shell", {"command": "git rev-list --count HEAD"}),
        )
        ran = read_run(log)
        if log.failed:
            self.problem = log.reason
            return f"the log could not be read: {self.problem}"
        if ran.code != 0:
            self.absence = _absence(ran.output)
            return ""
        rows = (line.split("\t", 3) for line in ran.output.splitlines())
        self.commits = [row for row in rows if len(row) == 4]
        if not self.commits:
            self.absence = "The git log is empty."
        self.total = _number(count)
        return ""

    def _touched(self) -> Work:
        if not self.commits:
            return f"there is no log to look at: {self.problem}" if self.problem else ""
        # Counted where the names are: a commit of a thousand files would be cut on its way here.
        log = f"git --no-pager log --no-color --name-only --pretty=tformat: -n {self._wanted}"
        command = f"{log} | sort | uniq -c | sort -k1,1nr -k2 | head -n {TOUCHED + 1}"
        (answer,) = yield (Ask("shell", {"command": command}),)
        ran = read_run(answer)
        if answer.failed or ran.code != 0:
            return f"the files could not be listed: {answer.reason}"
        rows = (re.fullmatch(r"\s*(\d+) (.+)", line) for line in ran.output.splitlines())
        self.files = Counter({row[2]: int(row[1]) for row in rows if row})
        return ""


def _absence(output: str) -> str:
    if "not a git repository" in output:
        return "There is no git repository here, so there is no history to summarise."
    if "does not have any commits" in output:
        return "The git repository here has no commits yet."
    return f"git could not read the log: {inline(output or 'it said nothing', 300)}"


def _number(answer: Answer) -> int | None:
    text = answer.text.strip()
    return int(text) if text.isdecimal() else None
