"""A first frame as the app drew it once, kept as text and fitted to the window."""

# Rows from which the app takes more room, and columns from which only blanks are gained or lost.
TALL, WIDE = 30, 60
# What is lower is used as it was and nowhere else.
_LOWEST = 12

Run = tuple[str, str]


class Frame:
    """Rows of runs, each with the numbers of its colours; and where the prompt is: column, row, width."""

    def __init__(self, rows: list[list[Run]], prompt: tuple[int, int, int], text: str, cursor: str) -> None:
        self.rows = rows
        self.prompt = prompt
        self.text = text
        self.cursor = cursor

    @property
    def columns(self) -> int:
        return sum(len(text) for _, text in self.rows[0])

    def drawn(self) -> str:
        return "".join(self.row(number) for number in range(len(self.rows)))

    def row(self, number: int) -> str:
        runs = "".join(f"\x1b[{colours}m{text}\x1b[0m" for colours, text in self.rows[number])
        return f"\x1b[{number + 1};1H{runs}"

    def fitted(self, columns: int, rows: int) -> "Frame | None":
        """In a window of another size the blanks between left and right, above and below, give or take."""
        here = self.columns
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


def written(frame: Frame) -> str:
    column, row, width = frame.prompt
    lines = [
        f"{column} {row} {width}",
        frame.text,
        frame.cursor,
        *("\x1f".join(f"{colours}\x1e{text}" for colours, text in runs) for runs in frame.rows),
    ]
    return "\n".join(lines) + "\n"


def read(text: str) -> Frame | None:
    """None for what is not what we would have written."""
    lines = text.split("\n")
    if len(lines) < 5 or lines[-1]:
        return None
    numbers = lines[0].split(" ")
    if len(numbers) != 3 or not all(each.isdecimal() and len(each) < 5 for each in numbers):
        return None
    rows = [[_run(piece) for piece in line.split("\x1f")] for line in lines[3:-1]]
    width = sum(len(run[1]) for run in rows[0] if run)
    good = [[run for run in row if run] for row in rows]
    if not (_colours(lines[1]) and _colours(lines[2])) or any(None in row for row in rows):
        return None
    column, row, room = map(int, numbers)
    if any(sum(len(text) for _, text in each) != width for each in good):
        return None
    if row >= len(good) or column + room > width:
        return None
    return Frame(good, (column, row, room), lines[1], lines[2])


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
