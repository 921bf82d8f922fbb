"""The first frames that come with the program: `python -m tests.tui.instant.standard` draws them anew."""

import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.terminal import Terminal

FOLDER = Path(__file__).parents[3] / "tui" / "instant" / "standard"
WAKEFUL = str(Path(sys.executable).with_name("wakeful"))
READY = "dormant: nothing open"
TERMINALS = {
    "truecolor": {"TERM": "xterm-256color", "COLORTERM": "truecolor"},
    "indexed": {"TERM": "tmux-256color"},
    "sixteen": {"TERM": "xterm"},
}
# The smallest windows that others can be stretched from.
SIZES = {"tall": (60, 30), "low": (60, 12)}


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for colours, variables in TERMINALS.items():
        for height, size in SIZES.items():
            place = FOLDER / f"{colours}-{height}"
            place.unlink(missing_ok=True)
            place.write_text(_learned(variables, size))


def _learned(variables: dict[str, str], size: tuple[int, int]) -> str:
    """What the app keeps of its first frame where none is known."""
    with TemporaryDirectory() as home:
        environment = {"PATH": os.environ["PATH"], "HOME": home, "WAKEFUL_HOME": home, "LANG": "C.UTF-8"}
        command = [WAKEFUL, "-m", "offline"]
        with Terminal(
            command, env=environment | variables, cwd=Path(home), columns=size[0], rows=size[1]
        ) as terminal:
            terminal.wait_for(READY)
        (kept,) = (Path(home) / "frames").iterdir()
        return kept.read_text().split("\n", 3)[3]


if __name__ == "__main__":
    main()
