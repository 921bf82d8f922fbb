"""How much of a model's context the conversation may take."""

from __future__ import annotations

from dataclasses import replace

from agent.models.catalog import Entry
from store.frozen import frozen

# Tokens kept free for the reply; a model that may say less needs less.
RESERVE = 32_000


@frozen
class Window:
    """All that fits, and what of it is kept free for the reply."""

    context: int
    reserve: int

    @property
    def usable(self) -> int:
        return self.context - self.reserve

    def narrowed(self, refused: int) -> Window:
        """After a provider refused so many tokens: what the table says of it is too much."""
        context = max(1, min(self.context, refused * 9 // 10))
        return Window(context, min(self.reserve, context // 4))


def window_of(entry: Entry) -> Window:
    """A reply that may take more than half of the context leaves the conversation the other half."""
    return Window(entry.context, min(entry.max_output, RESERVE, entry.context // 2))


def with_room(entry: Entry) -> Entry:
    """Some providers refuse a request whose prompt and longest possible reply do not fit side by side."""
    return replace(entry, max_output=min(entry.max_output, RESERVE, entry.context // 4))
