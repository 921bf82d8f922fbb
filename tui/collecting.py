"""The garbage collector's pace: it rests while the app starts, and then passes over what will stay anyway."""

from __future__ import annotations

import gc

# A conversation makes long-lived objects by the thousand and hardly any cycles.
_RARELY = (20_000, 3, 3)


def rest() -> None:
    """Until the first frame stands; a process that has frozen something is one that rested."""
    gc.freeze()
    gc.disable()


def go_on() -> None:
    """What is loaded behind the first frame takes the room of what fell off while it was made."""
    if gc.get_freeze_count():
        gc.enable()


def settle() -> None:
    """All that is loaded by now is here to stay; a process that never rested is left as it is."""
    if not gc.get_freeze_count():
        return
    gc.freeze()
    gc.set_threshold(*_RARELY)
    gc.enable()
