"""Offers what could stand at the cursor, as prompt-toolkit asks for it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

from tui.escapes import safe
from tui.offering import Offering


class Offers(Completer):
    def __init__(self, offering: Offering) -> None:
        self._offering = offering

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        """All of it is read from disk or database, so only the other form is used."""
        del document, complete_event
        return ()

    async def get_completions_async(
        self, document: Document, complete_event: CompleteEvent
    ) -> AsyncGenerator[Completion, None]:
        del complete_event
        typed = document.text_before_cursor
        for offer in await self._offering.at(typed):
            start = offer.start - len(typed)
            yield Completion(offer.text, start, display=safe(offer.label), display_meta=safe(offer.detail))
