"""Messages that wait for their turn; until then the user may take them back, drop or reorder them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import TYPE_CHECKING

from store.frozen import frozen

if TYPE_CHECKING:
    from agent.tools.tool import Attachment


@frozen
class Queued:
    """`id` names it as long as it waits. A `quoted` text is output: it mentions no files."""

    id: int
    text: str
    attachments: tuple[Attachment, ...] = ()
    quoted: bool = False


class Inbox:
    """Nothing here waits for anything, so that a message is either with the agent or still in here."""

    def __init__(self) -> None:
        self._waiting: list[Queued] = []
        self._ids = count(1)

    def __len__(self) -> int:
        return len(self._waiting)

    def __iter__(self) -> Iterator[Queued]:
        return iter(tuple(self._waiting))

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(each.text for each in self._waiting)

    def add(self, text: str, attachments: tuple[Attachment, ...] = (), *, quoted: bool = False) -> Queued:
        queued = Queued(next(self._ids), text, attachments, quoted)
        self._waiting.append(queued)
        return queued

    def put_first(self, others: Inbox) -> None:
        """What waited elsewhere goes before what waits here; it is there no longer."""
        self._waiting[:0] = [
            Queued(next(self._ids), each.text, each.attachments, each.quoted) for each in others
        ]
        others.clear()

    def take(self) -> Queued:
        return self._waiting.pop(0)

    def withdraw(self, queued_id: int) -> Queued | None:
        """None when its turn has come already."""
        found = next((each for each in self._waiting if each.id == queued_id), None)
        if found is not None:
            self._waiting.remove(found)
        return found

    def move(self, queued_id: int, by: int) -> bool:
        """Earlier for a negative number; false when it is gone."""
        at = next((at for at, each in enumerate(self._waiting) if each.id == queued_id), None)
        if at is None:
            return False
        self._waiting.insert(max(0, at + by), self._waiting.pop(at))
        return True

    def clear(self) -> None:
        self._waiting.clear()
