"""What is offered while something is being typed, and which of it is chosen; without a screen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from store.frozen import frozen

if TYPE_CHECKING:
    from agent.commands.registry import Completion

# These go on behind what was chosen: a folder's files, the name of a sprint.
_OPEN_ENDED = ("/", ":", " ", '/"')


@frozen
class Menu:
    """`typed` is what stood before the cursor; nothing is chosen where that may be meant as it is."""

    typed: str
    offers: tuple[Completion, ...]
    chosen: int | None = None

    def stepped(self, by: int) -> Menu:
        """Around the ends; from nowhere to the first or the last."""
        count = len(self.offers)
        if self.chosen is None:
            return replace(self, chosen=0 if by > 0 else count - 1)
        return replace(self, chosen=(self.chosen + by) % count)

    @property
    def offer(self) -> Completion | None:
        return None if self.chosen is None else self.offers[self.chosen]

    def completed(self, offer: Completion) -> str:
        """What stands before the cursor then, with the blank behind which one goes on typing."""
        text = self.typed[: offer.start] + offer.text
        return text if text.endswith(_OPEN_ENDED) else f"{text} "


def menu_for(typed: str, offers: Sequence[Completion]) -> Menu | None:
    """None when there is nothing to choose from, or the only choice stands there already."""
    if not offers or (len(offers) == 1 and typed[offers[0].start :] == offers[0].text):
        return None
    word = typed[offers[0].start :]
    exact = next((at for at, offer in enumerate(offers) if offer.text == word), None)
    # A word behind a command may be meant as it is; a name or a file is looked for.
    sought = offers[0].names or typed[offers[0].start - 1 : offers[0].start] == "@"
    inner = offers[0].names and not word
    return Menu(typed, tuple(offers), exact if exact is not None else 0 if sought and not inner else None)
