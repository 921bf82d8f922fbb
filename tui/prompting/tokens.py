"""Words in the prompt that stand for something larger: a long paste, a picture."""

from __future__ import annotations

import re
from collections.abc import Mapping

LINES = 8
CHARACTERS = 1_000
# Letters up to which a paste is part of the message.
TOLD = 100_000

_BREAKS = re.compile(r"\r\n?")
# Sequences as a whole, then whatever else of it would act and not be seen.
_CONTROLS = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]{0,4096}(?:\x07|\x1b\\)?|[\x00-\x08\x0b-\x1f\x7f-\x9f]"
    # What turns the order of letters around, and letters that nobody sees.
    r"|[\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]"
)


def cleaned(text: str) -> str:
    """Letters, blanks and line ends; nothing that a terminal would obey."""
    return _CONTROLS.sub("", _BREAKS.sub("\n", text))


def long(text: str) -> bool:
    return len(text) > CHARACTERS or text.count("\n") >= LINES


class Tokens:
    """Each word stands for one text as long as the app runs, wherever it turns up again."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}
        self._pattern: re.Pattern[str] | None = None

    def add(self, text: str) -> str:
        """The word for a pasted text."""
        lines = text.count("\n") + 1
        return self._named(f"pasted {lines:,} lines" if lines > 1 else f"pasted {len(text):,} letters", text)

    def picture(self, name: str, path: str) -> str:
        return self._named(f"image {name}", path)

    def restore(self, texts: Mapping[str, str]) -> None:
        self._texts.update(texts)
        self._pattern = None

    def change(self, word: str, text: str) -> None:
        self._texts[word] = text

    def used(self, text: str) -> dict[str, str]:
        return {word: self._texts[word] for _, _, word in self.spans(text)}

    def expanded(self, text: str) -> str:
        if not self._texts:
            return text
        return self._words.sub(lambda found: self._texts[found[0]], text)

    def collapsed(self, text: str) -> str:
        """What an editor gave back, with the texts it was given as words again."""
        for word, long_text in sorted(self._texts.items(), key=lambda pair: -len(pair[1])):
            text = text.replace(long_text, word)
        return text

    def spans(self, text: str) -> list[tuple[int, int, str]]:
        """Where the words of a line stand."""
        if not self._texts:
            return []
        return [(found.start(), found.end(), found[0]) for found in self._words.finditer(text)]

    def around(self, text: str, at: int) -> tuple[int, int] | None:
        """The word that a place lies inside of."""
        return next(((start, end) for start, end, _ in self.spans(text) if start < at < end), None)

    @property
    def _words(self) -> re.Pattern[str]:
        if self._pattern is None:
            longest_first = sorted(self._texts, key=len, reverse=True)
            self._pattern = re.compile("|".join(map(re.escape, longest_first)))
        return self._pattern

    def _named(self, name: str, text: str) -> str:
        word, number = f"[{name}]", 1
        while self._texts.get(word, text) != text:
            number += 1
            word = f"[{name}, {number}]"
        self._texts[word] = text
        self._pattern = None
        return word
