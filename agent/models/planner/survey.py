"""Surveys a project: what is there, what it says of itself, and where to begin."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

from agent.models.planner.files import KINDS, Found, counted, glob, kind, read, read_glob, text_of
from agent.models.planner.quoting import inline, paragraph, sentence
from agent.models.planner.work import Answer, Item, Work, no_asks

MAIN = (
    "README*", "readme*", "pyproject.toml", "package.json", "Cargo.toml", "go.mod", "Makefile", "setup.py",
    "pom.xml", "build.gradle", "CMakeLists.txt", "composer.json", "Gemfile", "AGENTS.md",
)  # fmt: skip
STARTS = "{main.*,__main__.py,cli.*,app.*,index.*,manage.py,Dockerfile}"
TESTS = "{test_*.py,*_test.py,*_test.go,*.test.*,*.spec.*,*Test.java}"
READ = 4
NOTHING = Found()

_FIELD = re.compile(
    r"""^\s*["']?(?P<name>name|description|version|module)["']?\s*(?:[=:]|\s)\s*"""
    r"""(?:["'](?P<quoted>[^"\n]*)["']|(?P<plain>[^\s"',{\[]+))""",
    re.MULTILINE,
)
LINES = 80


@dataclass
class Survey:
    aim = "survey this project"
    files: Found = NOTHING
    main: tuple[str, ...] = ()
    kinds: Counter[str] = field(default_factory=Counter[str])
    texts: dict[str, str] = field(default_factory=dict[str, str])
    unread: dict[str, str] = field(default_factory=dict[str, str])
    starts: Found = NOTHING
    tests: Found = NOTHING
    problem: str = ""

    @property
    def items(self) -> tuple[Item, ...]:
        return (
            Item("List the files", self._list),
            Item("Read the main files", self._read),
            Item("Count the files by kind", self._count),
            Item("Find the entry points and the tests", self._look),
            Item("Summarise the project", no_asks),
        )

    def report(self) -> str:
        head = "## Survey of this project"
        if self.problem:
            return f"{head}\n\nThe files could not be listed: {self.problem}"
        if not self.files.count:
            return f"{head}\n\nThere are no files here (ignored files are not counted)."
        facts = [
            f"- **Files**: {self.files.count:,} (ignored files are not counted)",
            f"- **Kinds**: {', '.join(f'{name} {count:,}' for name, count in self.kinds.most_common(10))}",
            self._folders(),
            f"- **Entry points**: {_named(self.starts)}",
            f"- **Test files**: {_named(self.tests)}",
        ]
        told = [text for path, content in self.texts.items() if (text := _told(path, content))]
        missed = [f"{inline(path)} could not be read: {reason}" for path, reason in self.unread.items()]
        return "\n\n".join([head, "\n".join(facts), *told, *missed])

    def _folders(self) -> str:
        tops = Counter(path.partition("/")[0] + "/" for path in self.files.paths if "/" in path)
        of = "" if self.files.whole else f", among the newest {len(self.files.paths)} files"
        shown = ", ".join(f"{inline(name, 40)} {count}" for name, count in tops.most_common(10))
        return f"- **Folders**: {shown or 'none'}{of}"

    def _list(self) -> Work:
        everything, main = yield glob("*"), glob("{" + ",".join(f"/{name}" for name in MAIN) + "}")
        if everything.failed:
            self.problem = everything.reason
            return f"the files could not be listed: {self.problem}"
        self.files = read_glob(everything)
        self.main = tuple(sorted(read_glob(main).paths, key=_weight))
        return ""

    def _read(self) -> Work:
        chosen = self.main[:READ]
        if not chosen:
            return self.problem
        answers = yield tuple(read(path, LINES) for path in chosen)
        for path, answer in zip(chosen, answers, strict=True):
            self._take(path, answer)
        return ""

    def _take(self, path: str, answer: Answer) -> None:
        if answer.failed:
            self.unread[path] = answer.reason
        else:
            self.texts[path] = text_of(answer)

    def _count(self) -> Work:
        if self.files.whole:
            self.kinds = Counter(kind(path) for path in self.files.paths)
            return self.problem
        # More than one answer lists: each suffix is counted on its own, so that the numbers are true.
        seen = Counter(path.rpartition(".")[2] for path in self.files.paths if kind(path) != "Other")
        suffixes = [name for name, _ in seen.most_common(12) if re.fullmatch(r"\w{1,12}", name)]
        suffixes += [
            name for name in ("py", "js", "ts", "rs", "go", "java", "c", "md") if name not in suffixes
        ]
        answers = yield tuple(glob(f"*.{name}") for name in suffixes)
        for name, answer in zip(suffixes, answers, strict=True):
            count = read_glob(answer).count
            if count:
                self.kinds[KINDS.get(name.lower(), f".{name}")] += count
        rest = self.files.count - self.kinds.total()
        if rest > 0:
            self.kinds["others"] = rest
        return ""

    def _look(self) -> Work:
        if self.problem or not self.files.count:
            return self.problem
        starts, tests = yield glob(STARTS), glob(TESTS)
        self.starts, self.tests = read_glob(starts), read_glob(tests)
        return ""


def _weight(path: str) -> int:
    return 0 if path.lower().startswith("readme") else 1 + MAIN.index(path) if path in MAIN else len(MAIN)


def _named(found: Found) -> str:
    if not found.count:
        return "none found by name"
    names = ", ".join(
        inline(path, 60) for path in sorted(found.paths, key=lambda path: (len(path), path))[:5]
    )
    return names if found.count <= 5 else f"{counted(found.count, 'file')}, such as {names}"


def _told(path: str, text: str) -> str:
    if path.lower().startswith("readme"):
        title = re.search(r"^#\s+(.+)", text, re.MULTILINE)
        prose = paragraph(text)
        named = f" ({inline(title[1], 80)})" if title else ""
        return (
            f"{inline(path)}{named} says:\n\n{sentence(prose)}" if prose else f"{inline(path)} has no prose."
        )
    fields = _FIELD.finditer(text)
    known = {found["name"]: found["quoted"] or found["plain"] or "" for found in reversed(list(fields))}
    if path == "Makefile":
        targets = re.findall(r"^([A-Za-z][\w-]*)\s*:(?!=)", text, re.MULTILINE)
        return (
            f"{inline(path)} has the targets {', '.join(inline(name, 30) for name in targets[:12])}."
            if targets
            else ""
        )
    shown = ", ".join(
        f"{name} {inline(known[name], 120)}"
        for name in ("name", "version", "module", "description")
        if name in known
    )
    return f"{inline(path)}: {shown}" if shown else f"{inline(path)} is there."
