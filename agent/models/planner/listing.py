"""Finds todos in what a model is shown of the list, in whichever shape that comes."""

from __future__ import annotations

import re

from agent.models.loose import as_dict, as_list, as_text, parse
from store.frozen import frozen

_MARK = re.compile(r"(?:#(\d{1,15})|\[(\d{1,15})\])[:.]?\s+(?=\S)")
_STATUS = r"pending|in[_ ]progress|active|open|blocked|completed|done|cancell?ed"
_LEADING = re.compile(rf"\A[\[(]({_STATUS})\b([^\])]*)[\])]\s*", re.IGNORECASE)
_REMARK = re.compile(rf"\s+[\[(]({_STATUS})(?: on \w+)?[:\])]", re.IGNORECASE)
_ASIDE = re.compile(r"\s+(?:\((high|low)\)|\(workspace\)|\(after #[^)]*\)|→ artifact: ).*\Z")
_CLOSED = re.compile(r"\W*(?:completed|deleted|cancell?ed)\b", re.IGNORECASE)
_HEADING = re.compile(rf"\A\W*({_STATUS})\b[^#\[]*:\s*\Z", re.IGNORECASE)
_BOX = re.compile(r"\[([ x~!>])\]\s*\Z", re.IGNORECASE)
_BOXES = {" ": "pending", "x": "completed", "~": "cancelled", "!": "blocked", ">": "in_progress"}
_BLOCK = re.compile(r"^\[/todo\b.*?^\[END TODO\]\s*$", re.DOTALL | re.MULTILINE)


@frozen
class Listed:
    id: int
    title: str
    status: str
    priority: str = ""
    reason: str = ""

    @property
    def open(self) -> bool:
        return self.workable or self.status == "blocked"

    @property
    def workable(self) -> bool:
        return self.status in ("pending", "in_progress")


def read_list(text: str) -> tuple[Listed, ...]:
    """Each todo once; what the text says of it last counts."""
    found = _from_json(text) or _from_lines(text)
    return tuple({item.id: item for item in found}.values())


def is_list(text: str) -> bool:
    """Whether a message from the user's side is the list speaking, and not a person."""
    if _BLOCK.search(text):
        return True
    starts = (
        _BOX.sub("", line[: mark.start()]) for line in text.splitlines() if (mark := _MARK.search(line))
    )
    return any(not re.search(r"\w", start) for start in starts)


def find_id(text: str, title: str) -> int | None:
    """The newest todo of exactly this title that is still open."""
    ids = [item.id for item in read_list(text) if item.open and item.title.startswith(title)]
    return max(ids, default=None)


def _from_json(text: str) -> list[Listed]:
    start = min((at for at in (text.find("["), text.find("{")) if at >= 0), default=-1)
    end = max(text.rfind("]"), text.rfind("}"))
    if start < 0 or end < start:
        return []
    try:
        value = parse(text[start : end + 1])
    except ValueError:
        return []
    fields = as_dict(value)
    rows = as_list(value) or as_list(fields.get("todos")) or as_list(fields.get("items")) or [value]
    return [item for row in rows if (item := _from_row(as_dict(row)))]


def _from_row(row: dict[str, object]) -> Listed | None:
    number = str(row.get("id", "")).lstrip("#")
    title = as_text(row.get("title")) or as_text(row.get("content")) or as_text(row.get("subject"))
    if not number.isdecimal() or not title:
        return None
    reason = as_text(row.get("reason")) or as_text(row.get("blocked_reason"))
    return Listed(
        int(number), title, _status(as_text(row.get("status"))), as_text(row.get("priority")), reason
    )


def _from_lines(text: str) -> list[Listed]:
    found: list[Listed] = []
    heading = "pending"
    for line in text.splitlines():
        marks = list(_MARK.finditer(line))
        if not marks:
            named = _HEADING.match(line)
            heading = _status(named[1]) if named else heading
        ends = [*(mark.start() for mark in marks[1:]), len(line)]
        for mark, end in zip(marks, ends, strict=False):
            before, after = line[: mark.start()], line[mark.end() : end]
            found.append(_from_line(int(mark[1] or mark[2]), before, after, heading))
    return found


def _from_line(number: int, before: str, after: str, heading: str) -> Listed:
    status = "in_progress" if "▶" in before else "completed" if _CLOSED.match(before) else heading
    if box := _BOX.search(before):
        status = _BOXES[box[1].lower()]
    title = after.strip().rstrip(",;").strip()
    if leading := _LEADING.match(title):
        status, title = _status(leading[1]), title[leading.end() :]
    if remark := _REMARK.search(title):
        status, title = _status(remark[1]), title[: remark.start()]
    aside = _ASIDE.search(title)
    title = title[: aside.start()] if aside else title
    return Listed(number, title.strip(), status, (aside and aside[1]) or "")


def _status(word: str) -> str:
    word = word.lower().replace(" ", "_")
    others = {"active": "in_progress", "open": "pending", "done": "completed", "canceled": "cancelled"}
    return others.get(word, word or "pending")
