"""The first frame as the app drew it the last time, found by the circumstances and fitted to the window."""

import os

from tui.version import VERSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

FOLDER = "frames"
TALL, WIDE = 30, 100
_HEAD = "wakeful frame 1"
# From here on only room is gained or lost; what is narrower or lower is used as it was and nowhere else.
_LOWEST = 12
_LOOKS = ("--theme", "--set")
_VARIABLES = (
    "TERM",
    "COLORTERM",
    "NO_COLOR",
    "FORCE_COLOR",
    "TEXTUAL_COLOR_SYSTEM",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "PYTHONUTF8",
    "PYTHONIOENCODING",
    "WAKEFUL_UI_THEME",
    "WAKEFUL_UI_GLYPHS",
    "WAKEFUL_UI_INSTANT",
)
# A signature of a file that is not there.
MISSING = "-"

Run = tuple[str, str]


class Frame:
    """Rows of runs, each with the numbers of its colours; and where the prompt is: column, row, width."""

    def __init__(self, rows: list[list[Run]], prompt: tuple[int, int, int], text: str, cursor: str) -> None:
        self.rows = rows
        self.prompt = prompt
        self.text = text
        self.cursor = cursor

    def drawn(self) -> str:
        return "".join(self.row(number) for number in range(len(self.rows)))

    def row(self, number: int) -> str:
        runs = "".join(f"\x1b[{colours}m{text}\x1b[0m" for colours, text in self.rows[number])
        return f"\x1b[{number + 1};1H{runs}"

    def fitted(self, columns: int, rows: int) -> "Frame | None":
        """In a window of another size the blanks between left and right, above and below, give or take."""
        here = sum(len(text) for _, text in self.rows[0])
        wider, taller = columns - here, rows - len(self.rows)
        if wider and min(columns, here) < WIDE:
            return None
        if taller and (min(rows, len(self.rows)) < _LOWEST or (rows >= TALL) != (len(self.rows) >= TALL)):
            return None
        lines = [_stretched(row, wider) for row in self.rows]
        start, length = _longest(self.rows)
        if length + taller < 1 or None in lines:
            return None
        body = [line for line in lines if line is not None]
        body[start : start + length] = [body[start]] * (length + taller)
        column, row, width = self.prompt
        row += taller if row >= start + length else 0
        return Frame(body, (column, row, width + wider), self.text, self.cursor)


def folder(environment: "Mapping[str, str]") -> str:
    """As `agent.paths` says, which costs more than the frame."""
    home = environment.get("WAKEFUL_HOME")
    if home:
        return f"{os.path.abspath(os.path.expanduser(home))}/{FOLDER}"  # noqa: PTH100, PTH111 pathlib takes 6 ms
    state = environment.get("XDG_STATE_HOME", "")
    if not os.path.isabs(state):  # noqa: PTH117
        state = f"{environment.get('HOME') or os.path.expanduser('~')}/.local/state"  # noqa: PTH111
    return f"{state}/wakeful/{FOLDER}"


def circumstances(arguments: list[str], environment: "Mapping[str, str]", columns: int, rows: int) -> str:
    """Everything but files that makes the frame what it is, in one line."""
    looks = [
        word
        for place, word in enumerate(arguments)
        if word.startswith(_LOOKS) or (place and arguments[place - 1] in _LOOKS)
    ]
    shape = f"{'wide' if columns >= WIDE else columns} {'tall' if rows >= TALL else 'low'}"
    parts = [VERSION, shape, *looks, *(environment.get(name, "") for name in _VARIABLES)]
    return "\x1f".join(parts).replace("\n", " ")


def file_name(circumstance: str) -> str:
    """The same in every process, which `hash` is not; what is inside tells two apart."""
    number = 0xCBF29CE484222325
    for byte in circumstance.encode("utf-8", "replace"):
        number = (number ^ byte) * 0x100000001B3 % (1 << 64)
    return f"{number:016x}"


def signature(path: str) -> str:
    try:
        found = os.stat(path)  # noqa: PTH116
    except OSError:
        return MISSING
    return f"{found.st_mtime_ns}:{found.st_size}"


def written(circumstance: str, files: list[str], frame: Frame) -> str:
    column, row, width = frame.prompt
    lines = [
        _HEAD,
        circumstance,
        "\x1f".join(f"{signature(path)}\x1e{path}" for path in files),
        f"{column} {row} {width}",
        frame.text,
        frame.cursor,
        *("\x1f".join(f"{colours}\x1e{text}" for colours, text in runs) for runs in frame.rows),
    ]
    return "\n".join(lines) + "\n"


def read(text: str, circumstance: str) -> Frame | None:
    """None for what is of other circumstances, out of date, or not what we would have written."""
    lines = text.split("\n")
    if len(lines) < 8 or lines[0] != _HEAD or lines[1] != circumstance or lines[-1]:
        return None
    files = [each.split("\x1e") for each in lines[2].split("\x1f")]
    if any(len(each) != 2 or signature(each[1]) != each[0] for each in files):
        return None
    numbers = lines[3].split(" ")
    if len(numbers) != 3 or not all(each.isdecimal() and len(each) < 5 for each in numbers):
        return None
    rows = [[_run(piece) for piece in line.split("\x1f")] for line in lines[6:-1]]
    width = sum(len(run[1]) for run in rows[0] if run)
    good = [[run for run in row if run] for row in rows]
    if not (_colours(lines[4]) and _colours(lines[5])) or any(None in row for row in rows):
        return None
    column, row, room = map(int, numbers)
    if any(sum(len(text) for _, text in each) != width for each in good):
        return None
    if row >= len(good) or column + room > width:
        return None
    return Frame(good, (column, row, room), lines[4], lines[5])


def _run(piece: str) -> Run | None:
    """What reaches the terminal from a file may do no more than colour printable text."""
    colours, found, text = piece.partition("\x1e")
    return (colours, text) if found and _colours(colours) and text.isprintable() else None


def _colours(text: str) -> bool:
    return len(text) < 80 and not text.strip("0123456789;")


def _stretched(row: list[Run], cells: int) -> list[Run] | None:
    if not cells:
        return row
    blanks = [(len(text), -place) for place, (_, text) in enumerate(row) if not text.strip(" ")]
    longest, place = max(blanks, default=(0, 0))
    if longest + cells < 1:
        return None
    return [
        (colours, " " * (longest + cells)) if number == -place else (colours, text)
        for number, (colours, text) in enumerate(row)
    ]


def _longest(rows: list[list[Run]]) -> tuple[int, int]:
    """Where the most rows in a row are the same, and how many."""
    best, start = (0, 1), 0
    for number in range(1, len(rows) + 1):
        if number == len(rows) or rows[number] != rows[start]:
            best = max(best, (start, number - start), key=lambda each: each[1])
            start = number
    return best
