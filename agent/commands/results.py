"""What a command answers: a closed set, so that every door can show all of it its own way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from store.frozen import frozen
from store.records import Progress, Todo, TodoStatus
from store.search import Hit


@frozen
class Text:
    text: str


@frozen
class Table:
    """`note` stands below the rows; it says what can be done with them."""

    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


@frozen
class TodoList:
    """`todos` are those that were asked for; progress and counts are of the whole list."""

    todos: tuple[Todo, ...]
    progress: Progress
    counts: Mapping[TodoStatus, int]
    artifacts: Mapping[int, str] = field(default_factory=dict[int, str])


@frozen
class Option:
    """Choosing it is the same as typing `line`."""

    line: str
    label: str
    detail: str = ""
    current: bool = False


@frozen
class Picker:
    """One of several; a door without a menu prints them with the lines to type.

    `stem` is there when more can be named than is listed: the line is it and what was typed. `topic` is for
    doors that can show more of such a list than its lines.
    """

    title: str
    options: tuple[Option, ...]
    stem: str = ""
    topic: Literal["", "sessions"] = ""


@frozen
class Points(Picker):
    """Messages to go back to; the line of each is `/rewind NUMBER`."""


@frozen
class Found:
    """Where words were found, the newest first; `store.search.pieces` cuts a snippet at its matches."""

    words: str
    hits: tuple[Hit, ...]


@frozen
class Confirm:
    """To be asked first: a yes is the same as typing `line`, a no is nothing.

    `wish` is another yes, with words of the user's own that go behind the line.
    """

    question: str
    detail: str
    line: str
    wish: str = ""


@frozen
class Prompt:
    """To be sent to the agent as if the user had typed it; `note` is for the user."""

    text: str
    note: str = ""


@frozen
class Draft:
    """`text` goes to where the user types, to be changed and sent; `note` says what has happened."""

    text: str
    note: str


@frozen
class Diff:
    """Changes of files as `git diff` would write them; `note` sums them up."""

    text: str
    note: str


@frozen
class Copy:
    """For the clipboard, where there is one."""

    text: str
    what: str


@frozen
class Reopen:
    """Leave this session and open that one, which may be the same with new settings; None begins one."""

    session_id: str | None
    note: str


@frozen
class Show:
    """A screen of the door's own, about `subject` if that is given; without one it shows `otherwise`."""

    screen: Literal["theme", "keys", "settings", "setup"]
    subject: str
    otherwise: Text | Table


@frozen
class Quit:
    pass


Result = (
    Text | Table | TodoList | Picker | Found | Confirm | Prompt | Draft | Diff | Copy | Reopen | Show | Quit
)
