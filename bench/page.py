"""`docs/performance.md` and its charts, drawn from `results.json`: `python -m bench.page` does it again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from bench import charts
from bench.results import Results, load
from bench.row import Row

DOCS = Path(__file__).parents[1] / "docs"
HEAD = """\
# Performance

This page is generated from `bench/results.json`, which a whole run of `make bench` writes.

What is on the screen is measured on a real pseudo terminal (120×40): starts, replies, key echo, idle memory,
opening a session in the app, the sitting, the sidebar and the transcript. `--version`, the headless run and
the requests are those of the real command without a terminal; tool turns, changed and filtered todos, and
sessions that are opened, searched and held in memory are measured below any front end. Where a model takes
part, it is a scripted server on loopback in a process of its own.

A ratio is against something measured in the same run: `python -c pass`, a bare Textual app that is one
`TextArea` and nothing else, an empty session, or, in the sitting, its own early turns. All but the sitting
are measured in turn with what they are compared to, so that a busy machine slows both. CPU is user and system
time of our process. The spread is the middle half of the runs.

"""
FOOT = """

## How each is measured

- **Start to echoed key**: a key is typed at the moment the program is started, on a terminal that echoes
  nothing by itself; the clock stops when it is on the screen. *Plain* is with `WAKEFUL_INSTANT=0`.
- **Reply in the app**: 24 kB of Markdown in 2,000 pieces over HTTP, from the question to the last painted
  line, stored as it comes. *Paced* sends it over eight seconds.
- **Key echo while streaming**: keys typed while the paced reply comes, each timed to the screen.
- **Turn overhead**: from the last byte of a reply to the next request, 300 tool turns in one session.
- **Requests that changed**: of 21 in a row, those that do not begin with the tools, the system prompt and all
  messages of the one before.
- **Memory**: resident size of the app's own process when it has come to rest.
- **Sitting**: 1,000 turns typed into the app one after the other, each with a tool call, 200 of them changing
  the list; the turns around the 50th against the last ones, CPU and memory, whichever grew more.

`make bench ARGS="echo memory"` measures single rows by the names of their modules in `bench/`; `make bench
ARGS=--peers` adds those of `codex`, `opencode`, `gemini`, `vibe`, `pi` and `aider` that are installed.
"""


def draw(results: Results, docs: Path = DOCS) -> None:
    (docs / "performance.md").write_text(write(results))
    for name, chart in drawn(results).items():
        (docs / "charts").mkdir(exist_ok=True)
        (docs / "charts" / name).write_text(chart)


def write(results: Results) -> str:
    return HEAD + "\n".join(_body(results)) + FOOT


def drawn(results: Results) -> dict[str, str]:
    """The charts by their file names."""
    shares = {name: row.value / row.budget for name, row in results.rows.items() if row.budget}
    # Each row has a floor of its own: the machine was not as busy when the other one was measured.
    pairs = [row.bars for row in results.rows.values() if row.bars]
    others = {name: peer.milliseconds for name, peer in results.peers.items() if peer.milliseconds}
    found = {"budgets.svg": charts.budgets(shares)} if shares else {}
    return found | ({"starts.svg": charts.starts(pairs, others)} if pairs else {})


def _body(results: Results) -> Iterator[str]:
    yield f"Measured on {results.machine}, at a load of {results.load:.1f}; bare Python took"
    yield f"{results.python * 1000:.1f} ms CPU in this run."
    yield ""
    for name in drawn(results):
        yield f"![{'Start to echoed key' if name == 'starts.svg' else 'Budgets'}](charts/{name})"
        yield ""
    yield "| what | measured | spread | budget | × bare Python | in figures |"
    yield "|---|---:|---|---:|---:|---|"
    for name, row in results.rows.items():
        yield _line(name, row, results.times_python(row))
    if missed := [(name, row) for name, row in results.rows.items() if not row.kept]:
        yield ""
        yield "## Missed"
        yield ""
        for name, row in missed:
            yield f"- **{name}**: {_by_how_much(row)} {row.why}".rstrip()
    if results.peers:
        yield ""
        yield "## Others on the same machine"
        yield ""
        yield "| program | start to echoed key | memory with its children |"
        yield "|---|---:|---:|"
        for name, peer in results.peers.items():
            started = f"{peer.milliseconds:.0f} ms" if peer.milliseconds else peer.note.replace("|", "\\|")
            yield f"| {name} | {started} | {f'{peer.mebibytes:.0f} MiB' if peer.mebibytes else ''} |"


def _line(name: str, row: Row, times: float | None) -> str:
    low, high = row.spread
    verdict = "" if row.kept else " **missed**"
    against = f"{times:.1f}" if times is not None else ""
    figures = f"{row.value:.2f} {_unit(row)}{verdict} | {low:.2f} to {high:.2f} | {row.budget:g} {_unit(row)}"
    return f"| {name} | {figures} | {against} | {row.detail} |"


def _unit(row: Row) -> str:
    return "×" if row.unit == "x" else row.unit


def _by_how_much(row: Row) -> str:
    if row.value > row.budget:
        return f"{row.value / row.budget:.2f} times its budget."
    return f"within its budget, but not what else it promises: {row.detail}."


if __name__ == "__main__":
    draw(load())
