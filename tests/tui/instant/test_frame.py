"""The instant prompt is the app's first frame: the same cells, in every window and in every theme."""

from pathlib import Path

import pyte
import pytest

from tests.terminal import Terminal
from tests.tui.instant.standard import TERMINALS
from tests.tui.repl.conftest import Start

READY = "dormant: nothing open"
SHOWN = b"\x1b[?2026l"
CTRL_D = "\x04"
SIZES = ((80, 24), (120, 40), (200, 60))

Cells = list[list[tuple[str, ...]]]


def cells(data: bytes, columns: int, rows: int) -> Cells:
    screen = pyte.Screen(columns, rows)
    pyte.ByteStream(screen).feed(data)
    return [
        [
            (cell.data, cell.fg, cell.bg, f"{cell.bold}{cell.italics}{cell.underscore}{cell.reverse}")
            for cell in (screen.buffer[y][x] for x in range(columns))
        ]
        for y in range(rows)
    ]


def frames(terminal: Terminal, columns: int, rows: int) -> tuple[Cells, Cells]:
    """What stood there first, and what stood there when Textual had taken over."""
    early = terminal.captured.index(SHOWN) + len(SHOWN)
    taken = terminal.captured.index(SHOWN, early) + len(SHOWN)
    return cells(terminal.captured[:early], columns, rows), cells(terminal.captured[:taken], columns, rows)


def used_once(start: Start, *words: str, columns: int, rows: int) -> None:
    """After which the frame is known."""
    terminal = start(*words, columns=columns, rows=rows)
    terminal.wait_for(READY)
    terminal.type(CTRL_D)
    assert terminal.end() == 0


def assert_plain(terminal: Terminal) -> None:
    """Textual asks how the terminal reports keys before it draws anything."""
    assert terminal.captured.index(b"\x1b[?1004h") < terminal.captured.index("▌".encode())


@pytest.mark.parametrize("theme", ["wakeful", "daylight"])
@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_the_instant_frame_is_the_first_frame(start: Start, columns: int, rows: int, theme: str):
    used_once(start, "--theme", theme, columns=columns, rows=rows)

    terminal = start("--theme", theme, columns=columns, rows=rows)
    terminal.wait_for(READY)

    early, first = frames(terminal, columns, rows)
    assert early == first
    assert any(cell[0] == "▌" for row in early for cell in row)
    assert terminal.captured.count(b"\x1b[?1049h") == 1


@pytest.mark.parametrize("colours", TERMINALS)
@pytest.mark.parametrize(("columns", "rows"), [*SIZES, (61, 13)])
def test_the_very_first_start_is_instant_too(
    start: Start, environment: dict[str, str], columns: int, rows: int, colours: str
):
    terminal = start(columns=columns, rows=rows, **TERMINALS[colours])
    terminal.wait_for(READY)

    early, first = frames(terminal, columns, rows)
    assert early == first, "run: python -m tests.tui.instant.standard"
    assert not (Path(environment["WAKEFUL_HOME"]) / "frames").exists()


@pytest.mark.parametrize(
    "terminal",
    [{"LANG": "C"}, {"LANG": "", "LC_ALL": "de_DE.ISO-8859-1"}, {"TERM": "linux"}, {"TERM": "vt220"}],
    ids=str,
)
def test_a_terminal_that_has_none_of_our_signs_is_never_sent_one(start: Start, terminal: dict[str, str]):
    for _ in range(2):
        shown = start(**terminal)
        shown.wait_for(READY)

        assert shown.captured.isascii()


@pytest.mark.parametrize(
    "settings", ['[model]\ndefault = "offline"\n', "# theme\n\n[wake]\nmax_cycles = 3\n"]
)
def test_settings_that_change_no_looks_keep_the_frame(
    start: Start, environment: dict[str, str], settings: str
):
    home = Path(environment["WAKEFUL_HOME"])
    home.mkdir()
    (home / "config.toml").write_text('[ui]\ntheme = "ember"\n')
    used_once(start, columns=100, rows=30)
    (home / "config.toml").write_text(f'{settings}\n[ui]\ntheme = "ember"\n')

    terminal = start(columns=100, rows=30)
    terminal.wait_for(READY)

    early, first = frames(terminal, 100, 30)
    assert early == first


@pytest.mark.parametrize(
    "settings", ['[ui]\ntheme = "daylight"\n', 'ui.theme = "daylight"\n', '[keys]\nplan = "f9"\n']
)
def test_settings_that_change_looks_are_learned_anew(
    start: Start, environment: dict[str, str], settings: str
):
    home = Path(environment["WAKEFUL_HOME"])
    used_once(start, columns=100, rows=30)
    (home / "config.toml").write_text(settings)

    terminal = start(columns=100, rows=30)
    terminal.wait_for(READY)
    assert_plain(terminal)
    terminal.type(CTRL_D)
    assert terminal.end() == 0
    again = start(columns=100, rows=30)
    again.wait_for(READY)

    early, first = frames(again, 100, 30)
    assert early == first


@pytest.mark.parametrize("words", [["-c"], ["-r"], ["look", "around"]])
def test_it_is_there_however_a_session_is_begun(start: Start, words: list[str]):
    terminal = start(*words, columns=100, rows=30)
    terminal.wait_for("offline")

    early, first = frames(terminal, 100, 30)
    assert early == first


@pytest.mark.parametrize("size", [(104, 31), (60, 30)])
def test_a_frame_learned_in_one_window_fits_another(start: Start, size: tuple[int, int]):
    used_once(start, "--theme", "ember", columns=130, rows=44)

    terminal = start("--theme", "ember", columns=size[0], rows=size[1])
    terminal.wait_for(READY)

    early, first = frames(terminal, *size)
    assert early == first


def test_what_is_typed_at_once_is_echoed_as_the_app_shows_it(start: Start):
    used_once(start, columns=100, rows=30)

    terminal = start(columns=100, rows=30)
    terminal.wait_for("▌", on_screen=True)
    terminal.type("héllo\x1b[D\x1b[Dx\x7f")
    terminal.wait_for("▌ héllo", on_screen=True)
    early = terminal.captured
    terminal.wait_for(READY)

    taken = terminal.captured.index(SHOWN, terminal.captured.index(SHOWN) + 1) + len(SHOWN)
    assert len(early) < taken
    assert cells(early, 100, 30) == cells(terminal.captured[:taken], 100, 30)


@pytest.mark.parametrize("switch", ["variable", "setting", "unnamed", "sized"])
def test_it_is_left_out_where_it_is_not_wanted(start: Start, environment: dict[str, str], switch: str):
    used_once(start, columns=100, rows=30)
    more = {"variable": {"WAKEFUL_INSTANT": "0"}, "unnamed": {"TERM": ""}, "sized": {"LINES": "29"}}
    if switch == "setting":
        home = Path(environment["WAKEFUL_HOME"])
        (home / "config.toml").write_text("[ui]\ninstant = false\n")

    for _ in range(2):
        terminal = start(columns=100, rows=30, **more.get(switch, {}))
        terminal.wait_for(READY)

        assert_plain(terminal)
        terminal.type(CTRL_D)
        assert terminal.end() == 0


@pytest.mark.parametrize(
    "harm", ["\x1b]0;owned\x07", "[0m\x1b[31m", "\n", "31m\x1b[2J"], ids=["title", "colour", "line", "clear"]
)
def test_a_frame_that_somebody_wrote_is_not_drawn(start: Start, environment: dict[str, str], harm: str):
    used_once(start, "--theme", "ember", columns=100, rows=30)
    (known,) = (Path(environment["WAKEFUL_HOME"]) / "frames").iterdir()
    written = known.read_text()
    known.write_text(written.replace("  wakeful", f"  {harm}"))
    assert known.read_text() != written

    terminal = start("--theme", "ember", columns=100, rows=30)
    terminal.wait_for(READY)

    assert_plain(terminal)
    assert b"owned" not in terminal.captured


def test_a_command_line_that_is_wrong_gives_the_screen_back(start: Start):
    used_once(start, columns=100, rows=30)

    terminal = start("--no-such-option", columns=100, rows=30)

    assert terminal.end() == 2
    assert "--no-such-option" in terminal.text
    assert terminal.is_sane() == []


def test_it_is_learned_from_those_who_type_at_once_too(start: Start, environment: dict[str, str]):
    terminal = start("--theme", "ember", columns=100, rows=30)
    terminal.type("quick")
    terminal.wait_for(READY)
    terminal.wait_for("▌ quick", on_screen=True)

    assert len(list((Path(environment["WAKEFUL_HOME"]) / "frames").iterdir())) == 1


def test_what_was_typed_before_a_plain_start_is_in_its_first_frame(start: Start):
    terminal = start(columns=100, rows=30, WAKEFUL_INSTANT="0")
    terminal.type("quick")
    terminal.wait_for("▌ quick", on_screen=True)

    # What stands in an empty prompt, but for the letter under the cursor.
    assert b"essage, / commands" not in terminal.captured
