"""Why a command did nothing, in words that say what to do next."""

from __future__ import annotations


class CommandError(Exception):
    """What a person typed cannot be done; `hint` says what can.

    `code` is `usage` or `unknown_command` for a line that cannot be read, `refused` for one that was.
    """

    def __init__(self, message: str, hint: str = "", *, code: str = "refused") -> None:
        super().__init__(f"{message}; {hint}" if hint else message)
        self.message = message
        self.hint = hint
        self.code = code


class UnknownCommandError(CommandError):
    def __init__(self, name: str, hint: str) -> None:
        super().__init__(f"no command /{name}", hint, code="unknown_command")
