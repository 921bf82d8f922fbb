"""Type while the app starts, before, across and after the hand-over of the instant prompt: no key is lost."""

import json
import random
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tests.terminal import Terminal

NAME = "keys typed during the start"
WAKEFUL = str(Path(sys.executable).with_name("wakeful"))
READY = "dormant: nothing open"
LETTERS = "abcdefghijklmnopqrstuvwxyz 0123456789.,äöüßéñčλжя世界語"
LEFT, RIGHT, BACKSPACE = "\x1b[D", "\x1b[C", "\x7f"
# Of these one has no instant prompt: what is typed then must arrive too.
PLAIN = 5


def run(scale: float, seed: int) -> str:
    starts = max(2, round(200 * scale))
    typed = lost = 0
    with tempfile.TemporaryDirectory() as folder:
        place = Place(Path(folder))
        place.opened_once()
        for number in range(starts):
            rng = random.Random(f"{seed} {number}")
            keys, expected = script(rng)
            found = place.typed_into(keys, rng, instant=number % PLAIN != PLAIN - 1)
            typed += len(keys)
            lost += found != expected
            assert found == expected, (
                f"seed {seed}, start {number}: {keys!r} gave {found!r}, not {expected!r}"
            )
    return f"{starts} starts, {typed} keys, {lost} of them lost, doubled or out of order"


class Place:
    def __init__(self, folder: Path) -> None:
        self.home, self.project = folder / "home", folder / "project"
        self.project.mkdir()
        self.environment = {
            "PATH": "/usr/local/bin:/usr/bin:/bin",
            "HOME": str(folder),
            "WAKEFUL_HOME": str(self.home),
            "TERM": "xterm-256color",
            "LANG": "C.UTF-8",
        }

    def opened(self, *, instant: bool = True) -> Terminal:
        env = self.environment | {"WAKEFUL_INSTANT": "1" if instant else "0"}
        return Terminal([WAKEFUL, "-m", "offline"], env=env, cwd=self.project, columns=120, rows=40)

    def opened_once(self) -> None:
        """After which the first frame is known."""
        with self.opened() as terminal:
            terminal.wait_for(READY)
            terminal.type("\x04")
            assert terminal.end() == 0

    def typed_into(self, keys: list[str], rng: random.Random, *, instant: bool) -> str:
        """What stands in the prompt afterwards, as the app itself keeps it."""
        with self.opened(instant=instant) as terminal:
            # Before that the keys are the shell's.
            until(terminal, b"\x1b[?1049h" if instant else b"\x1b[?1004h")
            for piece in pieces("".join(keys).encode(), rng):
                terminal.type(piece.decode("utf-8", "surrogateescape"))
                terminal.settle(rng.choice((0, 0, 0.001, 0.01, 0.05, rng.uniform(0, 0.2))))
            terminal.wait_for(READY)
            terminal.settle(0.3)
            terminal.kill(signal.SIGTERM)
            assert terminal.end() == 128 + signal.SIGTERM
            assert terminal.is_sane() == []
        drafts = self.home / "drafts"
        found = [json.loads(path.read_text())["text"] for path in drafts.glob("*.json")]
        shutil.rmtree(drafts, ignore_errors=True)
        return found[0] if found else ""


def until(terminal: Terminal, sign: bytes) -> None:
    deadline = time.monotonic() + 60
    while sign not in terminal.captured:
        assert terminal.read(0.1), "it ended before it began"
        assert time.monotonic() < deadline


def script(rng: random.Random) -> tuple[list[str], str]:
    """Keys, and the text that a prompt has after them."""
    keys: list[str] = []
    text, at = "", 0
    for _ in range(rng.randint(5, 40)):
        kind = rng.random()
        if kind < 0.7:
            letter = rng.choice(LETTERS)
            keys.append(letter)
            text, at = text[:at] + letter + text[at:], at + 1
        elif kind < 0.8:
            keys.append(BACKSPACE)
            text, at = text[: max(0, at - 1)] + text[at:], max(0, at - 1)
        elif kind < 0.9:
            keys.append(LEFT)
            at = max(0, at - 1)
        elif kind < 0.95:
            keys.append(RIGHT)
            at = min(len(text), at + 1)
        else:
            words = "".join(rng.choices(LETTERS, k=rng.randint(1, 12)))
            keys.append(f"\x1b[200~{words}\x1b[201~")
            text, at = text[:at] + words + text[at:], at + len(words)
    return keys, text if text.strip() else ""


def pieces(data: bytes, rng: random.Random) -> Iterator[bytes]:
    """Cut anywhere but inside a sequence, where a pause means the escape key; letters may be cut in two."""
    start = 0
    for end in range(1, len(data) + 1):
        inside = b"\x1b" in data[max(0, end - 5) : end]
        if end == len(data) or (not inside and rng.random() < 0.3):
            yield data[start:end]
            start = end
