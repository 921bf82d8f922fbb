"""Which first frame is the right one: by window, terminal, options and settings, without loading any."""

import os
import sys

from tui.instant.frames import TALL, WIDE, Frame, read
from tui.letters import is_plain_locale, is_plain_terminal
from tui.version import VERSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_HEAD = "wakeful frame 2"
_LOOKS = ("--theme", "--set")
_LOCALE = ("LANG", "LC_ALL", "LC_CTYPE")
_TERMINAL = ("TERM", "COLORTERM", *_LOCALE, "PYTHONUTF8", "PYTHONIOENCODING")
_WISHES = (
    "NO_COLOR",
    "FORCE_COLOR",
    "TEXTUAL_COLOR_SYSTEM",
    "WAKEFUL_UI_THEME",
    "WAKEFUL_UI_GLYPHS",
    "WAKEFUL_UI_INSTANT",
)
# Tables of the settings that the frame shows something of.
_TABLES = ("ui", "keys")
# A signature of a file that is not there, or that says nothing of looks.
_NOTHING = "-"


class Circumstances:
    def __init__(
        self, arguments: list[str], environment: "Mapping[str, str]", columns: int, rows: int
    ) -> None:
        self._environment = environment
        self._looks = [
            word
            for place, word in enumerate(arguments)
            if word.startswith(_LOOKS) or (place and arguments[place - 1] in _LOOKS)
        ]
        self._height = "tall" if rows >= TALL else "low"
        width = "wide" if columns >= WIDE else str(columns)
        variables = (environment.get(name, "") for name in (*_TERMINAL, *_WISHES))
        described = "\x1f".join([VERSION, width, self._height, *self._looks, *variables]).replace("\n", " ")
        self._head = f"{_HEAD}\n{described}\n"
        folder = _folder(environment, "XDG_STATE_HOME", ".local/state")
        self.place = f"{folder}/frames/{digest(described)}"

    def known(self) -> Frame | None:
        """The frame that was seen in them, else the one that comes with the program."""
        standard = self._standard()
        return self._seen() or (read(_text(standard)) if standard else None)

    def headed(self, files: list[str], frame: str) -> str:
        """The frame as it is kept, with all that must be the same for it to be shown again."""
        signed = "\x1f".join(f"{_signature(path)}\x1e{path}" for path in files)
        return f"{self._head}{signed}\n{frame}"

    def _seen(self) -> Frame | None:
        text = _text(self.place)
        if not text.startswith(self._head):
            return None
        files, _, frame = text[len(self._head) :].partition("\n")
        signed = [each.split("\x1e") for each in files.split("\x1f")]
        if any(len(each) != 2 or _signature(each[1]) != each[0] for each in signed):
            return None
        return read(frame)

    def _standard(self) -> str:
        """The file of the frame that comes with the program; empty where anything was chosen."""
        environment = self._environment
        if self._looks or any(environment.get(name) for name in _WISHES):
            return ""
        # Textual puts something else in the place of `sys.stdout`.
        if sys.__stdout__ is None or sys.__stdout__.encoding.lower() != "utf-8":
            return ""
        terminal = environment.get("TERM", "")
        if is_plain_terminal(terminal) or any(is_plain_locale(environment.get(name, "")) for name in _LOCALE):
            return ""
        if environment.get("COLORTERM", "") in ("truecolor", "24bit"):
            colours, theme = "truecolor", "wakeful"
        elif terminal.endswith("256color"):
            colours, theme = "indexed", "wakeful"
        elif terminal.endswith(("kitty", "direct", "unknown")):
            return ""
        else:
            colours, theme = "sixteen", "ansi"
        settings = _folder(environment, "XDG_CONFIG_HOME", ".config")
        if _signature(f"{settings}/config.toml") != _NOTHING:
            return ""
        if _signature(f"{settings}/themes/{theme}.toml") != _NOTHING:
            return ""
        return f"{os.path.dirname(__file__)}/standard/{colours}-{self._height}"  # noqa: PTH120 pathlib takes 6 ms


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace", newline="\n") as file:  # noqa: PTH123 pathlib takes 6 ms
            return file.read(1_000_000)
    except OSError:
        return ""


def digest(text: str) -> str:
    """The same in every process, which `hash` is not."""
    number = 0xCBF29CE484222325
    for byte in text.encode("utf-8", "surrogatepass"):
        number = (number ^ byte) * 0x100000001B3 % (1 << 64)
    return f"{number:016x}"


def _signature(path: str) -> str:
    """Of settings only what they say of looks, since the model, say, is changed far more often."""
    if path.endswith("config.toml"):
        told = _told(_text(path))
        return digest(told) if told else _NOTHING
    try:
        found = os.stat(path)  # noqa: PTH116
    except OSError:
        return _NOTHING
    return f"{found.st_mtime_ns}:{found.st_size}"


def _told(settings: str) -> str:
    """The lines before the first table, and those of the tables that matter."""
    kept: list[str] = []
    matters = True
    for line in map(str.strip, settings.splitlines()):
        if line.startswith("["):
            matters = line.lstrip("[ \t\"'").startswith(_TABLES)
        if matters and line and not line.startswith("#"):
            kept.append(line)
    return "\n".join(kept)


def _folder(environment: "Mapping[str, str]", variable: str, fallback: str) -> str:
    """As `agent.paths` says, which costs more than the frame."""
    home = environment.get("WAKEFUL_HOME")
    if home:
        return os.path.abspath(os.path.expanduser(home))  # noqa: PTH100, PTH111
    base = environment.get(variable, "")
    if not os.path.isabs(base):  # noqa: PTH117
        base = f"{environment.get('HOME') or os.path.expanduser('~')}/{fallback}"  # noqa: PTH111
    return f"{base}/wakeful"
