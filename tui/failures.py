"""Says what an exception means: to people in one line, to machines as a code, a message and a hint."""

from __future__ import annotations

import re

from store.frozen import frozen

OURS = {"tui", "agent", "store"}
_AGAIN = "press Enter to try again, or choose another model: /model, /setup"
_WAYS_ON = {
    "transient": _AGAIN,
    "rate_limit": _AGAIN,
    "empty": _AGAIN,
    "refused": "rephrase the message, or choose another model: /model, /setup",
}


def way_on(code: str, hint: str) -> str:
    """What the user can do after a turn failed: its own hint, or that of its kind."""
    return _WAYS_ON.get(code, "") if code in ("empty", "refused") or not hint else hint


def retried(reason: str) -> str:
    """A reply that broke off and was asked for again; the details in brackets are for the log."""
    brief = reason.partition(" (")[0]
    return f"{brief}; retried" if brief else "the reply broke off; retried"


@frozen
class Failure:
    code: str
    message: str
    hint: str

    def __str__(self) -> str:
        return f"{self.message}; {self.hint}" if self.hint else self.message

    def as_json(self) -> dict[str, str]:
        return {"code": self.code, "message": self.message, "hint": self.hint}


def describe(error: BaseException) -> Failure:
    """An error of ours may carry `code` and `hint`; else its text is read as "what happened; what to do"."""
    if type(error).__module__.partition(".")[0] in OURS:
        return _our_own(error)
    if isinstance(error, OSError) and error.strerror:
        subject = f"{error.filename}: " if error.filename else ""
        return Failure("system", f"{subject}{error.strerror}", "run wakeful doctor to see what is in the way")
    return Failure(
        "internal",
        f"something went wrong inside ({type(error).__name__}: {error})",
        "--debug shows the details",
    )


def _our_own(error: BaseException) -> Failure:
    message, hint = str(error), getattr(error, "hint", None)
    if hint is None and "\n" not in message:
        message, _, hint = message.rpartition("; ") if "; " in message else (message, "", "")
    words = re.findall(r"[A-Z]+[a-z]*", type(error).__name__.removesuffix("Error"))
    code = getattr(error, "code", None) or "_".join(words).lower()
    return Failure(str(code), message, hint or "")
