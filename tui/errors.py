"""What a door may raise when the fault is not in the code: a line for people, a code for machines."""


class DoorError(Exception):
    """`hint` says what to do next; `code` is stable, so that scripts may rely on it."""

    def __init__(self, message: str, hint: str = "", *, code: str = "failed") -> None:
        super().__init__(message)
        self.hint = hint
        self.code = code


class UsageError(DoorError):
    """The command line itself is wrong: exit status 2."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message, hint, code="usage")
