"""Decides how much of a stream is drawn at once, and when: never so often that typing would feel it."""

from __future__ import annotations

from collections import deque

# Faster than anybody reads; each frame costs some 8 ms of CPU, and keys wait for it.
FRAME = 1 / 15
AT_ONCE = 3_000
# Drawing may take this share of the time, whatever the text is like.
SHARE = 8


class Pacer:
    def __init__(self) -> None:
        self._pending: deque[tuple[str, str]] = deque()
        self._free = 0.0

    @property
    def waiting(self) -> bool:
        return bool(self._pending)

    def delay(self, now: float) -> float:
        """What comes after a pause is drawn at once."""
        return max(0.0, self._free - now)

    def add(self, entry_id: str, delta: str) -> None:
        self._pending.append((entry_id, delta))

    def take(self, entry_id: str | None = None) -> dict[str, str]:
        """What is to be drawn now, by entry; all that waits for one entry if it is named."""
        found: dict[str, list[str]] = {}
        size = 0
        if entry_id is not None:
            mine = [delta for each, delta in self._pending if each == entry_id]
            self.forget(entry_id)
            return {entry_id: "".join(mine)} if mine else {}
        while self._pending and size < AT_ONCE:
            each, delta = self._pending.popleft()
            room = AT_ONCE - size
            if len(delta) > room:
                self._pending.appendleft((each, delta[room:]))
            found.setdefault(each, []).append(delta[:room])
            size += min(len(delta), room)
        return {each: "".join(deltas) for each, deltas in found.items()}

    def forget(self, entry_id: str) -> None:
        self._pending = deque(item for item in self._pending if item[0] != entry_id)

    def drew(self, began: float, ended: float) -> None:
        self._free = max(began + FRAME, ended + SHARE * (ended - began))
