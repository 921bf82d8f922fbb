from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from xml.etree import ElementTree as ET

from bench.page import DOCS, draw, drawn, write
from bench.peers import Peer
from bench.results import FILE, Results, load
from bench.row import Row

SVG = "{http://www.w3.org/2000/svg}"
START = Row(
    0.05, "x", 0.2, (0.04, 0.06), "17 ms against 340 ms", bars={"instant prompt": 17, "bare Textual app": 340}
)
RESULTS = Results(
    machine="Python 3.11, x86_64, 2 cores",
    load=0.3,
    python=0.01,
    rows={
        "start to echoed key": START,
        "24 kB reply in the app, fast": Row(
            0.9, "s CPU", 0.6, (0.8, 1.0), "5 runs", why="It is drawn twice."
        ),
        "requests that changed": Row(0.0, "%", 0.0, (0.0, 0.0), "20 pairs"),
        "first request": Row(9.0, "kB", 12.0, (9.0, 9.0), "90% kept", holds=False),
    },
    peers={"codex": Peer(400.0, 120.0), "vibe": Peer(None, None, "echoed no key in 20 s")},
)


def test_the_page_and_its_charts_are_those_of_the_kept_results() -> None:
    results = load()

    assert (DOCS / "performance.md").read_text() == write(results), "run: python -m bench.page"
    for name, chart in drawn(results).items():
        assert (DOCS / "charts" / name).read_text() == chart, "run: python -m bench.page"


def test_what_is_kept_says_why_it_was_missed() -> None:
    silent = [name for name, row in load().rows.items() if not (row.kept or row.why)]

    assert silent == [], "say it in WHY of the row's module, and in results.json"


def test_what_is_kept_is_a_whole_run() -> None:
    modules = [import_module(f"bench.{each.name}") for each in iter_modules([str(FILE.parent)])]
    rows = {module.NAME for module in modules if hasattr(module, "measure")}

    assert set(load().rows) == rows, "run: make bench"


def test_results_are_read_as_they_were_kept(tmp_path: Path) -> None:
    RESULTS.save(tmp_path / "results.json")

    assert load(tmp_path / "results.json") == RESULTS


def test_a_missed_row_says_by_how_much_and_why() -> None:
    page = write(RESULTS)

    assert "- **24 kB reply in the app, fast**: 1.50 times its budget. It is drawn twice.\n" in page
    assert "- **first request**: within its budget, but not what else it promises: 90% kept." in page
    assert "**start to echoed key**" not in page


def test_cpu_is_told_in_bare_interpreters_too() -> None:
    (line,) = [each for each in write(RESULTS).splitlines() if each.startswith("| 24 kB reply")]

    assert "| 90.0 |" in line


def test_a_peer_that_never_echoed_says_so() -> None:
    assert "| vibe | echoed no key in 20 s |  |" in write(RESULTS)


def test_what_a_peer_said_stays_in_its_cell() -> None:
    said = replace(RESULTS, peers={"vibe": Peer(None, None, "ended with status 1: a | b")})

    assert r"| vibe | ended with status 1: a \| b |  |" in write(said)


def test_bars_are_as_long_as_their_figures(tmp_path: Path) -> None:
    (tmp_path / "charts").mkdir()

    draw(RESULTS, tmp_path)

    chart = ET.fromstring((tmp_path / "charts" / "starts.svg").read_text())
    bars = [float(each.get("width", 0)) for each in chart.iter(f"{SVG}rect")][2::2]
    names = [each.text for each in chart.iter(f"{SVG}text")][1::2]
    assert names == ["instant prompt", "bare Textual app beside it", "codex"]
    assert [round(each / bars[-1], 2) for each in bars] == [0.04, 0.85, 1.0]


def test_every_start_is_drawn_beside_the_floor_it_was_measured_with() -> None:
    plain = Row(1.3, "x", 1.3, (1.2, 1.4), "", bars={"plain start": 260, "bare Textual app": 200})

    chart = ET.fromstring(drawn(replace(RESULTS, rows={"plain": plain, "start": START}))["starts.svg"])

    words = [each.text for each in chart.iter(f"{SVG}text")][1:]
    assert list(zip(words[::2], words[1::2], strict=True)) == [
        ("instant prompt", "17 ms"),
        ("bare Textual app beside it", "340 ms"),
        ("plain start", "260 ms"),
        ("bare Textual app beside it", "200 ms"),
        ("codex", "400 ms"),
    ]
