"""Going back and forth through what was written earlier, with what is being written kept at its end."""

from __future__ import annotations

from collections.abc import Sequence


class Past:
    def __init__(self) -> None:
        self._texts: list[str] = []
        self._at: int | None = None
        self._draft = ""
        self._changed: dict[int, str] = {}

    @property
    def texts(self) -> Sequence[str]:
        """Oldest first."""
        return self._texts

    def load(self, texts: Sequence[str]) -> None:
        """What was kept; what was written since goes behind it."""
        kept = [text.rstrip() for text in texts]
        found = set(kept)
        self._texts = [*kept, *(text for text in self._texts if text not in found)]
        self.rest()

    def add(self, text: str) -> None:
        """Without the blank that completing leaves behind a word."""
        text = text.rstrip()
        if text and (not self._texts or self._texts[-1] != text):
            self._texts.append(text)
        self.rest()

    def rest(self) -> None:
        """The next step back is to the newest again."""
        self._at = None
        self._changed.clear()

    def earlier(self, written: str) -> str | None:
        """None at the beginning. `written` is kept, whichever one it was made of."""
        at = len(self._texts) if self._at is None else self._at
        return self._step(at - 1, written) if at > 0 else None

    def later(self, written: str) -> str | None:
        return None if self._at is None else self._step(self._at + 1, written)

    def _step(self, to: int, written: str) -> str:
        if self._at is None:
            self._draft = written
        elif written != self._texts[self._at]:
            self._changed[self._at] = written
        if to == len(self._texts):
            self._at = None
            return self._draft
        self._at = to
        return self._changed.get(to, self._texts[to])
