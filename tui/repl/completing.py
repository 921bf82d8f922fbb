"""Offers what could stand at the cursor: commands after a slash, files after an `@`."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

from agent.commands.registry import Completion as Offer
from tui.escapes import safe
from tui.files import Files, mention


class Offers(Completer):
    def __init__(self, files: Files, commands: Callable[[str], Awaitable[list[Offer]]]) -> None:
        self._files = files
        self._commands = commands

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        """All of it is read from disk or database, so only the other form is used."""
        del document, complete_event
        return ()

    async def get_completions_async(
        self, document: Document, complete_event: CompleteEvent
    ) -> AsyncGenerator[Completion, None]:
        del complete_event
        typed = document.text_before_cursor
        if (started := mention(typed)) is not None:
            for path in await self._files.matching(started):
                yield Completion(path, -len(started))
        elif typed.lstrip().startswith("/"):
            for offer in await self._commands(typed):
                start = offer.start - len(typed)
                yield Completion(
                    offer.text, start, display=safe(offer.label), display_meta=safe(offer.detail)
                )
