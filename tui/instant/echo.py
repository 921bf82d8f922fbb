"""What is typed before anybody reads it, as far as it can be shown; the bytes are kept elsewhere."""

from tui.instant.frames import Frame

# Letters that surely take one cell each: Latin, Greek, Cyrillic and Armenian, without accents that combine.
_PLAIN = ((0x20, 0x7F), (0xA1, 0xAD), (0xAE, 0x300), (0x370, 0x483), (0x48A, 0x530))
_PASTED = (b"\x1b[200~", b"\x1b[201~")
_LEFT, _RIGHT = (b"\x1b[D", b"\x1bOD"), (b"\x1b[C", b"\x1bOC")
_BACKSPACE = (0x7F, 0x08)


class Echo:
    """One line; what it cannot follow ends it, and what is shown then stays until the app takes over."""

    def __init__(self) -> None:
        self.text = ""
        self.at = 0
        self.frozen = False
        self._rest: bytes = b""

    def feed(self, data: bytes, room: int) -> None:
        data = self._rest + data
        self._rest = b""
        while data and not self.frozen:
            taken = self._escape(data) if data[0] == 0x1B else self._key(data)
            if taken == 0:
                # The rest of a letter or of a sequence is still to come.
                self.frozen = len(data) > 8
                self._rest = data
                return
            data = data[taken:]
            self.frozen = self.frozen or len(self.text) >= room

    def drawn(self, frame: Frame) -> str:
        column, row, width = frame.prompt
        if not self.text:
            return frame.row(row)
        under = self.text[self.at] if self.at < len(self.text) else " "
        after = self.text[self.at + 1 :].ljust(width - self.at - 1)
        return (
            f"\x1b[{row + 1};{column + 1}H\x1b[{frame.text}m{self.text[: self.at]}\x1b[0m"
            f"\x1b[{frame.cursor}m{under}\x1b[0m\x1b[{frame.text}m{after}\x1b[0m"
        )

    def _escape(self, data: bytes) -> int:
        for known in (*_PASTED, *_LEFT, *_RIGHT):
            if data.startswith(known):
                step = -1 if known in _LEFT else 1 if known in _RIGHT else 0
                self.at = max(0, min(len(self.text), self.at + step))
                return len(known)
            if known.startswith(data):
                return 0
        self.frozen = True
        return 1

    def _key(self, data: bytes) -> int:
        first = data[0]
        if first in _BACKSPACE:
            if self.at:
                self.text = self.text[: self.at - 1] + self.text[self.at :]
                self.at -= 1
            return 1
        size = 1 if first < 0x80 else 2 if 0xC2 <= first < 0xE0 else 3 if first < 0xF0 else 4
        if len(data) < size:
            return 0
        letter = data[:size].decode("utf-8", "replace")
        if len(letter) == 1 and any(low <= ord(letter) < high for low, high in _PLAIN):
            self.text = self.text[: self.at] + letter + self.text[self.at :]
            self.at += 1
        else:
            self.frozen = True
        return size
