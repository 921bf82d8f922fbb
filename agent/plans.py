"""Reads the steps out of a plan's Markdown, so that a finished plan can become todos."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from agent.todos.drafts import Draft
from agent.todos.rules import BATCH, DEPTH, TITLE
from store.frozen import frozen
from store.records import TodoStatus

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.tree import SyntaxTreeNode

Path = tuple[str, ...]
_Rank = Literal["named", "heading", "plain", "aside"]

_LISTS = ("bullet_list", "ordered_list")
_MARK = re.compile(r"\[([ xX~!])\](?:\s+|$)")
_MARKED: dict[str, TodoStatus] = {"x": "completed", "~": "cancelled", "!": "blocked"}
# Emphasis and links are looked for only so far, since that search is not linear.
_STYLED = 2000

_NUMBER = re.compile(r"(?:(?:step|task)\s+\d+|\d+(?:\.\d+)+|\d+(?=[.):]))\s*[.):–—-]?\s+", re.IGNORECASE)
_STEP = re.compile(r"(?:step|task|phase|stage|part|milestone)\s+(?:\d+|[ivx]+)\b", re.IGNORECASE)
_STEPS = re.compile(
    r"(?:\w+ )?(?:steps|tasks|todos?|to-dos?|checklist|phases|milestones|items)"
    r"|(?:the |detailed |implementation )?plan|implementation|roadmap|work breakdown",
    re.IGNORECASE,
)
_ASIDE = (
    r"(?:open )?(?:background|context|overview|summary|introduction|motivation|problem|goals?|non-goals?"
    r"|objectives?|scope|out of scope|risks?|assumptions?|constraints?|notes?|references?|links|resources"
    r"|questions?|alternatives|decisions?|glossary|appendix)"
)
_ASIDES = re.compile(rf"{_ASIDE}(?:(?:,| and| &|/) ?{_ASIDE})*", re.IGNORECASE)


@frozen
class Extraction:
    """Without steps the text has no list to read, and a model could be asked instead.

    `left_out` counts the steps for which their level had no room.
    """

    steps: tuple[Draft, ...] = ()
    left_out: int = 0


def extract(text: str) -> Extraction:
    """Numbered and bulleted items and step headings, each with what is nested below it.

    Where sections are named for their steps, only those count; asides such as risks count only when
    there is nothing else. Code and quotations are not read.
    """
    # Costs 60 ms.
    from markdown_it import MarkdownIt
    from markdown_it.tree import SyntaxTreeNode

    parser = MarkdownIt("commonmark")
    parser.core.ruler.enableOnly(["normalize", "block"])
    blocks = SyntaxTreeNode(parser.parse(text)).children
    reader = _Reader(parser, titled=sum(block.tag == "h1" for block in blocks) == 1)
    for block in blocks:
        reader.read(block)
    return _bounded(reader.chosen(), 0)


def digest(text: str) -> str:
    """Names a text, whatever its ends of line."""
    # OpenSSL comes with it, for plans that are final only.
    import hashlib

    plain = "\n".join(line.rstrip() for line in text.strip().splitlines())
    return hashlib.sha256(plain.encode(errors="surrogatepass")).hexdigest()[:32]


def paths(steps: Sequence[Draft], above: Path = ()) -> Iterator[Path]:
    """Every step by its own title and those above it."""
    for step in steps:
        path = (*above, step.title)
        yield path
        yield from paths(step.subtasks, path)


def added(steps: Sequence[Draft], known: frozenset[Path], above: Path = ()) -> Iterator[tuple[Path, Draft]]:
    """The steps that are not known yet, each with the path of the known one it belongs below."""
    for step in steps:
        path = (*above, step.title)
        if path in known:
            yield from added(step.subtasks, known, path)
        else:
            yield above, step


@dataclass(slots=True)
class _Step:
    title: str
    status: TodoStatus = "pending"
    notes: list[str] = field(default_factory=list[str])
    below: list[_Step] = field(default_factory=list["_Step"])


@frozen
class _Section:
    """A heading that is still in force."""

    level: int
    named: bool = False
    aside: bool = False
    step: _Step | None = None


class _Reader:
    """Takes the blocks of a text in order. `titled` says that its one first-level heading is its title."""

    def __init__(self, parser: MarkdownIt, *, titled: bool) -> None:
        self._parser = parser
        self._titled = titled
        self._sections: list[_Section] = []
        self._found: list[tuple[_Rank, _Step]] = []

    def read(self, block: SyntaxTreeNode) -> None:
        if block.type == "heading":
            self._open(int(block.tag[1:]), self._words(block))
        elif block.type in _LISTS:
            for step in self._items(block):
                self._keep(step, "plain")
        elif block.type == "paragraph" and (step := self._above()) and not self._in_aside():
            step.notes.append(self._words(block))

    def chosen(self) -> list[_Step]:
        ranks = {rank for rank, _ in self._found}
        wanted = {"named", "heading"} if "named" in ranks else ranks - {"aside"} or ranks
        return [step for rank, step in self._found if rank in wanted]

    def _open(self, level: int, words: str) -> None:
        while self._sections and self._sections[-1].level >= level:
            self._sections.pop()
        core = _NUMBER.sub("", words, count=1) if _NUMBER.match(words) else words
        subject = core.rstrip(" :")
        below_named = bool(self._sections) and self._sections[-1].named
        section = _Section(level)
        if not _STEP.match(words) and _ASIDES.fullmatch(subject):
            section = _Section(level, aside=True)
        elif not _STEP.match(words) and _STEPS.fullmatch(subject):
            section = _Section(level, named=not (self._titled and level == 1))
        elif subject and (core != words or _STEP.match(words) or below_named):
            section = _Section(level, step=_Step(core))
        if section.step:
            self._keep(section.step, "heading")
        self._sections.append(section)

    def _keep(self, step: _Step, rank: _Rank) -> None:
        if self._in_aside():
            self._found.append(("aside", step))
        elif above := self._above():
            above.below.append(step)
        else:
            named = any(section.named for section in self._sections)
            self._found.append(("named" if named else rank, step))

    def _above(self) -> _Step | None:
        return next((section.step for section in reversed(self._sections) if section.step), None)

    def _in_aside(self) -> bool:
        return any(section.aside for section in self._sections)

    def _items(self, block: SyntaxTreeNode) -> list[_Step]:
        return [step for item in block.children for step in self._item(item)]

    def _item(self, item: SyntaxTreeNode) -> list[_Step]:
        texts: list[str] = []
        below: list[_Step] = []
        for child in item.children:
            if child.type in ("paragraph", "heading"):
                texts.append(self._words(child))
            elif child.type in _LISTS:
                below += self._items(child)
        mark = _MARK.match(texts[0]) if texts else None
        title = texts[0][mark.end() :] if mark else "".join(texts[:1])
        if not title.strip():
            return below
        status = _MARKED.get(mark[1].lower(), "pending") if mark else "pending"
        return [_Step(title, status, texts[1:], below)]

    def _words(self, block: SyntaxTreeNode) -> str:
        """The text as one line, without the marks of its style."""
        text = block.children[0].content if block.children else ""
        tokens = self._parser.inline.parse(text[:_STYLED], self._parser, {}, [])
        words = [
            f"`{token.content}`"
            if token.type == "code_inline"
            else " "
            if token.type in ("softbreak", "hardbreak")
            else token.content
            for token in tokens
        ]
        return _one_line("".join(words) + text[_STYLED:])


def _bounded(steps: Sequence[_Step], depth: int) -> Extraction:
    drafts: list[Draft] = []
    left_out = sum(_size(step) for step in steps[BATCH:])
    for step in steps[:BATCH]:
        title, rest = _cut(_one_line(step.title).rstrip(": ") or step.title)
        # What is too deep to be a todo of its own stays readable.
        deeper = list(_outline(step.below, 0)) if depth == DEPTH else []
        below = _bounded([] if deeper else step.below, depth + 1)
        left_out += below.left_out
        blocked = step.status == "blocked"
        drafts.append(
            Draft(
                title,
                notes="\n".join(filter(None, [rest, *step.notes, *deeper])) or None,
                status=step.status,
                blocked_reason="marked as blocked in the plan" if blocked else None,
                blocked_on="human" if blocked else None,
                subtasks=below.steps,
            )
        )
    return Extraction(tuple(drafts), left_out)


def _size(step: _Step) -> int:
    return 1 + sum(_size(each) for each in step.below)


def _outline(steps: Sequence[_Step], level: int) -> Iterator[str]:
    for step in steps:
        yield f"{'  ' * level}- {step.title}"
        yield from _outline(step.below, level + 1)


def _cut(title: str) -> tuple[str, str]:
    """What fits into a title, at the end of a word if there is one, and the rest."""
    if len(title) <= TITLE:
        return title, ""
    space = title.rfind(" ", TITLE // 2, TITLE)
    end = space if space > 0 else TITLE - 1
    return f"{title[:end].rstrip()}…", f"…{title[end:].strip()}"


def _one_line(text: str) -> str:
    return " ".join("".join(_sign(sign) for sign in text).split())


def _sign(sign: str) -> str:
    category = unicodedata.category(sign)
    return " " if category == "Cc" else "\ufffd" if category == "Cs" else sign
