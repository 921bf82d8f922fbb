"""What could stand at the cursor, in every door: commands after a slash, files after an `@`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from agent.commands.registry import Completion
from tui.files import Files, mention


class Offering:
    def __init__(
        self,
        files: Files,
        commands: Callable[[str], Awaitable[list[Completion]]],
        mentions: Callable[[str], bool] = lambda _: True,
    ) -> None:
        """`mentions` says whether an `@` names a file in a command that is being typed."""
        self._files = files
        self._commands = commands
        self._mentions = mentions

    async def at(self, typed: str) -> list[Completion]:
        """The likeliest first; `typed` is what stands before the cursor."""
        if typed.lstrip().startswith("/"):
            found = await self._commands(typed)
            if found or mention(typed) is None or not self._mentions(typed):
                return found
        if (started := mention(typed)) is not None:
            start = len(typed) - len(started)
            return [_file(path, start) for path in await self._files.matching(started)]
        return []


def _file(path: str, start: int) -> Completion:
    folder, _, name = path.removesuffix("/").rpartition("/")
    return Completion(path, f"{name}/" if path.endswith("/") else name, folder, start)
