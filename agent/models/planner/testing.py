"""Finds out how a project is tested, runs that, and says how it went."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from agent.models.loose import as_dict, as_text, parse
from agent.models.planner.files import glob, read, read_glob, text_of
from agent.models.planner.quoting import block
from agent.models.planner.work import Answer, Ask, Item, Ran, Work, no_asks, read_run

SECONDS = 900
ROOTED = (
    "/Makefile", "/makefile", "/GNUmakefile", "/package.json", "/Cargo.toml", "/go.mod", "/pyproject.toml",
    "/pytest.ini", "/tox.ini", "/setup.cfg", "/conftest.py",
)  # fmt: skip
PYTHON = "{test_*.py,*_test.py}"

_NAMED = (
    ("make test", r"\bmake test\b"),
    ("npm test", r"\bnpm (?:run )?test\b"),
    ("cargo test", r"\bcargo test\b"),
    ("go test ./...", r"\bgo test\b"),
    ("python3 -m pytest -q", r"\bpytest\b"),
)
_COUNTS = re.compile(
    r"\b\d+ (?:passed|failed|errors?|skipped|passing|failing|pending|tests? ran)\b", re.IGNORECASE
)


@dataclass
class RunTests:
    words: str
    aim = "find out how the tests are run, and run them"
    command: str = ""
    why: str = ""
    ran: Ran | None = None
    problem: str = ""
    _texts: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def items(self) -> tuple[Item, ...]:
        return (
            Item("Find out how the tests are run", self._find),
            Item("Run the tests", self._run),
            Item("Report the result", no_asks),
        )

    def report(self) -> str:
        head = "## Test run"
        if not self.command:
            return f"{head}\n\nNo tests were run: {self.problem}."
        ran = self.ran
        if ran is None:
            return f"{head}\n\nThe tests were **not run**. `{self.command}` ({self.why}): {self.problem}"
        if ran.code is None:
            verdict = "did not end in time and was killed"
        else:
            verdict = "**passed** (exit code 0)" if ran.code == 0 else f"**failed** (exit code {ran.code})"
        counts = _COUNTS.findall("\n".join(ran.output.splitlines()[-30:]))
        told = f"\n\nIt counts: {', '.join(dict.fromkeys(counts))}." if counts else ""
        printed = (
            f"The end of its output:\n\n{block(ran.output)}" if ran.output.strip() else "It printed nothing."
        )
        return f"{head}\n\n`{self.command}` ({self.why}) {verdict}.{told}\n\n{printed}"

    def _find(self) -> Work:
        rooted, python = yield glob("{" + ",".join(ROOTED) + "}"), glob(PYTHON)
        paths = read_glob(rooted).paths
        texts = [path for path in paths if path.lower().endswith("makefile") or path == "package.json"]
        if texts:
            answers = yield tuple(read(path, 400) for path in texts)
            self._texts = {path: text_of(answer) for path, answer in zip(texts, answers, strict=True)}
        self.command, self.why = self._choose(set(paths), has_python=read_glob(python).count > 0)
        if not self.command:
            self.problem = _nothing(rooted)
        return ""

    def _choose(self, paths: set[str], *, has_python: bool) -> tuple[str, str]:
        for command, pattern in _NAMED:
            if re.search(pattern, self.words):
                return command, "as you said"
        for path, text in self._texts.items():
            if path.lower().endswith("makefile") and re.search(r"^test\s*:(?!=)", text, re.MULTILINE):
                return "make test", f"{path} has a target of that name"
            if path == "package.json" and _has_script(text):
                return "npm test", "package.json has a test script"
        for path, command in (("Cargo.toml", "cargo test"), ("go.mod", "go test ./...")):
            if path in paths:
                return command, f"there is a {path}"
        return ("python3 -m pytest -q", "there are Python test files") if has_python else ("", "")

    def _run(self) -> Work:
        if not self.command:
            return self.problem
        (answer,) = yield (Ask("shell", {"command": self.command, "timeout": SECONDS}),)
        if answer.failed:
            self.problem = answer.reason
            return f"{self.command} was not run: {self.problem}"
        self.ran = read_run(answer)
        return ""


def _nothing(answer: Answer) -> str:
    if answer.failed:
        return answer.reason
    return "no Makefile target, package.json script, Cargo.toml, go.mod or Python test file was found"


def _has_script(text: str) -> bool:
    try:
        script = as_text(as_dict(as_dict(parse(text)).get("scripts")).get("test"))
    except ValueError:
        return False
    # What `npm init` writes is a placeholder that always fails.
    return bool(script) and "no test specified" not in script
