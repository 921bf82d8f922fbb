"""Offers what could stand at the cursor: commands after a slash, files after an `@`."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

from tui.escapes import safe
from tui.repl.files import Files, mention
from tui.repl.talk import Found


class Offers(Completer):
    def __init__(self, files: Files, commands: Callable[[str], Awaitable[list[Found]]]) -> None:
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
            for text, start, label, detail in await self._commands(typed):
                yield Completion(text, start, display=safe(label), display_meta=safe(detail))
