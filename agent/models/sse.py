"""Cuts the bytes of a server-sent event stream into payloads, however they were split on the way."""

from __future__ import annotations

from agent.models.loose import parse

LONGEST = 8_000_000


class EventReader:
    """Fed with bytes, gives the `data` of each whole event. Knows nothing of what the payloads mean."""

    def __init__(self) -> None:
        self.stray: list[str] = []
        self._rest = b""
        self._data: list[str] = []

    def feed(self, data: bytes) -> list[str]:
        """Raises ValueError when a line grows beyond all reason."""
        *lines, self._rest = (self._rest + data).split(b"\n")
        if len(self._rest) > LONGEST:
            raise ValueError("a line of the stream is too long")
        payloads: list[str] = []
        for line in lines:
            payloads += self._read_line(line)
        return payloads

    def end(self) -> list[str]:
        """What an ending without a blank line left behind."""
        payloads = self._read_line(self._rest)
        self._rest = b""
        return payloads + self._dispatch()

    def _read_line(self, raw: bytes) -> list[str]:
        # Whole lines only are decoded, so a character split between two reads is never torn.
        line = raw.decode("utf-8", "replace").strip("\r\ufeff")
        if not line:
            return self._dispatch()
        name, _, value = line.partition(":")
        if name == "data":
            self._data.append(value.removeprefix(" "))
        elif name not in ("", "event", "id", "retry"):
            self.stray.append(line)
        return []

    def _dispatch(self) -> list[str]:
        lines, self._data = self._data, []
        if len(lines) < 2:
            return lines
        whole = "\n".join(lines)
        try:
            parse(whole)
        except ValueError:
            # Some servers forget the blank line between two events.
            return lines
        return [whole]
