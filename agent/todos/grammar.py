"""The `/todo` language: the same words for a model's reply, the user's prompt and the command line."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Literal, cast

from agent.todos.errors import TodoError
from agent.todos.moves import Place
from store.frozen import frozen
from store.records import Priority, TodoStatus

MISSING_END = "missing /endtodo terminator"
VERBS = (
    "add",
    "start",
    "done",
    "cancel",
    "block",
    "reopen",
    "describe",
    "subject",
    "priority",
    "move",
    "delete",
    "undo",
    "list",
    "show",
)

_HEAD = re.compile(r" {0,3}/todo(?:[ \t]+(.*))?$")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_IDS = re.compile(r"#?\d+(?:[\s,]+#?\d+)*")
_BY_ID = re.compile(r"(#?\d+)(?:\s*:\s*|\s+)(.*)", re.DOTALL)
_BY_TITLE = re.compile(r"(.+?)\s*:\s+(.*)", re.DOTALL)
_STEP = re.compile(r"(.+?)\s+(up|down|top|bottom|out)")
_PRIORITY = re.compile(r"(.+?)\s*(?::\s*|\s)(high|medium|low)", re.IGNORECASE)
_BESIDE = re.compile(r"(.+?)\s+(before|after|under)\s+(.+)")


@frozen
class Add:
    title: str
    notes: str | None = None
    workspace_wide: bool = False


@frozen
class SetStatus:
    """`targets` are ids or beginnings of titles; `("all",)` is every open todo."""

    targets: tuple[str, ...]
    status: TodoStatus
    reason: str | None = None


@frozen
class Describe:
    target: str
    text: str


@frozen
class Subject:
    target: str
    title: str


@frozen
class Prioritise:
    target: str
    priority: Priority


@frozen
class Move:
    target: str
    place: Place
    other: str = ""


@frozen
class Delete:
    """`("completed",)` and `("all",)` are whole groups."""

    targets: tuple[str, ...]


@frozen
class Undo:
    pass


@frozen
class List:
    filter: str = ""


@frozen
class Show:
    target: str


Command = Add | SetStatus | Describe | Subject | Prioritise | Move | Delete | Undo | List | Show


@frozen
class Writ:
    """One command found in a text: its first line as written, and what it means or why it means nothing."""

    line: str
    command: Command | None
    error: str = ""


def parse_command(text: str) -> Command:
    """What stands behind `/todo`, several lines for the block form of `add` and the text of `describe`."""
    first, _, more = text.strip().partition("\n")
    verb = first.partition(" ")[0].lower()
    if verb == "describe":
        described = _command(first, "")
        assert isinstance(described, Describe)
        notes = more.rstrip().removesuffix("/endtodo").rstrip()
        return Describe(described.target, f"{described.text}\n{notes}".rstrip("\n"))
    if more.strip() and verb != "add":
        raise TodoError("one command at a time; only /todo add and /todo describe take several lines")
    writs = parse_reply(f"/todo {text}")
    if len(writs) != 1:
        raise TodoError("one command at a time; each begins with /todo on a line of its own")
    if writs[0].command is None:
        raise TodoError(writs[0].error)
    return writs[0].command


def parse_reply(text: str) -> tuple[Writ, ...]:
    """Every command in a reply, in order. What stands in fenced code is only quoted and means nothing."""
    lines = text.splitlines()
    writs: list[Writ] = []
    fence = ""
    at = 0
    while at < len(lines):
        fence, fenced = _fenced(lines[at], fence)
        head = None if fenced else _HEAD.match(lines[at])
        at += 1
        if head:
            words = (head[1] or "").strip()
            body, at = _block(lines, at) if words.split(" ")[0] == "add" else ((), at)
            writs.append(_writ(words, body))
    return tuple(writs)


def _writ(words: str, body: Sequence[str] | None) -> Writ:
    line = f"/todo {words}".strip()
    if body is None:
        return Writ(line, None, MISSING_END)
    try:
        return Writ(line, _command(words, "\n".join(body).strip("\n")))
    except TodoError as error:
        return Writ(line, None, str(error))


def _block(lines: Sequence[str], at: int) -> tuple[Sequence[str] | None, int]:
    """The lines below `/todo add` up to `/endtodo`; None when they never end."""
    opens = at < len(lines) and lines[at].strip() and not lines[at].lstrip().startswith("/")
    if not opens:
        closed = at < len(lines) and lines[at].strip() == "/endtodo"
        return (), at + closed
    body: list[str] = []
    fence = ""
    for number in range(at, len(lines)):
        line = lines[number]
        fence, fenced = _fenced(line, fence)
        if not fenced and line.strip() == "/endtodo":
            return body, number + 1
        if not fenced and _HEAD.match(line):
            return None, number
        body.append(line)
    return None, len(lines)


def _fenced(line: str, fence: str) -> tuple[str, bool]:
    """The fence that is open behind this line, and whether the line belongs to fenced code."""
    mark = _FENCE.match(line)
    if not fence:
        return (mark[1], True) if mark else ("", False)
    closes = mark and mark[1].startswith(fence) and not line.strip().strip(fence[0])
    return ("" if closes else fence), True


def _command(words: str, notes: str) -> Command:
    verb, _, rest = words.partition(" ")
    verb, rest = verb.lower() or "list", rest.strip()
    if verb == "add":
        return _add(rest, notes)
    reader = _READERS.get(verb)
    if reader is None:
        # difflib costs 5 ms, which only a slip of the pen has to pay.
        from difflib import get_close_matches

        near = get_close_matches(verb, VERBS, n=1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(VERBS)}"
        raise TodoError(f"no command {verb!r}; {hint}")
    return reader(verb, rest)


def _add(rest: str, notes: str) -> Add:
    words = rest.split(" ")
    shared = words[0] in ("-w", "--workspace")
    title = " ".join(words[1:]).strip() if shared else rest
    if not title:
        raise TodoError("add needs a title; write /todo add TITLE")
    return Add(title, notes or None, shared)


def _status(verb: str, rest: str) -> Command:
    if verb == "block":
        target, reason = _split(verb, rest, "REASON")
        return SetStatus((target,), "blocked", reason)
    statuses: dict[str, TodoStatus] = {
        "start": "in_progress",
        "done": "completed",
        "cancel": "cancelled",
        "reopen": "pending",
    }
    return SetStatus(targets(verb, rest), statuses[verb])


def _text(verb: str, rest: str) -> Command:
    if verb == "describe":
        return Describe(*_split(verb, rest, "TEXT"))
    return Subject(*_split(verb, rest, "TITLE"))


def _priority(verb: str, rest: str) -> Command:
    found = _PRIORITY.fullmatch(rest)
    if not found:
        raise TodoError(f"{verb} needs a todo and high, medium or low; write /todo {verb} ID high")
    return Prioritise(found[1], cast("Priority", found[2].lower()))


def _move(verb: str, rest: str) -> Command:
    step, beside = _STEP.fullmatch(rest), _BESIDE.fullmatch(rest)
    if step:
        # Out of a parent is below nobody.
        place = "under" if step[2] == "out" else step[2]
        return Move(step[1], cast("Place", place))
    if beside:
        return Move(beside[1], cast("Literal['before', 'after', 'under']", beside[2]), beside[3])
    raise TodoError(
        f"{verb} needs a todo and a place: up, down, top, bottom, before ID, after ID, under ID, out"
    )


def _delete(verb: str, rest: str) -> Command:
    return Delete(targets(verb, rest))


def _undo(verb: str, rest: str) -> Command:
    if rest:
        raise TodoError(f"{verb} takes nothing behind it; it takes back the newest change")
    return Undo()


def _list(verb: str, rest: str) -> Command:
    del verb
    return List(rest)


def _show(verb: str, rest: str) -> Command:
    if not rest:
        raise TodoError(f"{verb} needs a todo; write /todo {verb} ID")
    return Show(rest)


def targets(verb: str, rest: str) -> tuple[str, ...]:
    if not rest:
        raise TodoError(f"{verb} needs a todo; write /todo {verb} ID")
    if _IDS.fullmatch(rest):
        return tuple(dict.fromkeys(rest.replace(",", " ").split()))
    return (rest,)


def _split(verb: str, rest: str, what: str) -> tuple[str, str]:
    found = _BY_ID.fullmatch(rest) or _BY_TITLE.fullmatch(rest)
    if not found or not found[2].strip():
        raise TodoError(f"{verb} needs a todo and its text; write /todo {verb} ID: {what}")
    return found[1], found[2].strip()


_READERS: dict[str, Callable[[str, str], Command]] = {
    "start": _status,
    "done": _status,
    "cancel": _status,
    "block": _status,
    "reopen": _status,
    "describe": _text,
    "subject": _text,
    "priority": _priority,
    "move": _move,
    "delete": _delete,
    "undo": _undo,
    "list": _list,
    "show": _show,
}
