"""What is loaded when the first frame stands: each module here is paid for by everybody who opens the app."""

import ast
import os
import subprocess
import sys
from pathlib import Path

OURS = ("tui", "agent", "store", "themes")
# A name more is a decision: what it costs must be worth waiting for before anything is seen.
WANTED = {
    "agent.config.errors",
    "agent.entry",
    "agent.logs",
    "agent.paths",
    "agent.permissions.display",
    "store.frozen",
    "themes",
    "tui.app",
    "tui.appearance",
    "tui.asked",
    "tui.attention",
    "tui.bindings",
    "tui.cli",
    "tui.clipping",
    "tui.collecting",
    "tui.compositing",
    "tui.configuration",
    "tui.dispatch",
    "tui.doors.app",
    "tui.errors",
    "tui.escapes",
    "tui.instant.opened",
    "tui.internals",
    "tui.leaving",
    "tui.letters",
    "tui.oneline",
    "tui.overlaid",
    "tui.parser",
    "tui.pictures",
    "tui.plan.place",
    "tui.plan.planned",
    "tui.prompting.bindings",
    "tui.prompting.internals",
    "tui.prompting.menu",
    "tui.prompting.past",
    "tui.prompting.pouring",
    "tui.prompting.prompted",
    "tui.prompting.queueing",
    "tui.prompting.tokens",
    "tui.reading",
    "tui.recalled",
    "tui.signals",
    "tui.theme",
    "tui.transcript.ink",
    "tui.transcript.wrapping",
    "tui.version",
    "tui.widgets.activity",
    "tui.widgets.drawn",
    "tui.widgets.footer",
    "tui.widgets.header",
    "tui.widgets.mark",
    "tui.widgets.menu",
    "tui.widgets.pasting",
    "tui.widgets.prompt",
    "tui.widgets.queue",
    "tui.widgets.units",
}
# What a bare Textual app does without: the command line, the theme's file, and the width of `▌`.
LIBRARY = {
    "argparse",
    "gc",
    "gettext",
    "rich._unicode_data.unicode17-0-0",
    "tomllib",
    "tomllib._parser",
    "tomllib._re",
    "tomllib._types",
}

# Each takes half a megabyte or more.
SELDOM = {"hashlib", "httpx", "litellm", "pydantic"}

BARE = """
import asyncio, sys
from textual.app import App
from textual.widgets import TextArea

class Looked(App):
    def compose(self):
        yield TextArea()
    def on_mount(self):
        self.call_after_refresh(self.look)
    def look(self):
        sys.stderr.write(repr(sorted(sys.modules)))
        self.exit()

Looked().run(headless=True, size=(120, 40))
"""
APP = """
import os, sys
from pathlib import Path
import tui.cli, tui.dispatch, tui.doors.app, tui.parser
tui.parser.parse(["app"])
with tui.dispatch._log():
    opening = tui.doors.app.Opening(tui.doors.app.user_paths(), os.environ, Path.cwd())
    from tui import collecting
    from tui.app import WakefulApp
    from tui.appearance import first_ink

    class Looked(WakefulApp):
        CSS_PATH = str(Path("tui/styles.tcss").absolute())
        def sit(self):
            sys.stderr.write(repr(sorted(sys.modules)))
            self.exit()

    Looked(opening, first_ink(opening.paths, os.environ, ())).run(headless=True, size=(120, 40))
"""


def loaded(script: str, home: Path) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "WAKEFUL_HOME": str(home)},
        cwd=Path(__file__).parents[3],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(ast.literal_eval(done.stderr))


def test_the_first_frame_waits_for_nothing_it_does_not_show(tmp_path: Path):
    bare = loaded(BARE, tmp_path)

    more = loaded(APP, tmp_path) - bare

    ours = {name for name in more if name.partition(".")[0] in OURS}
    packages = {name.rpartition(".")[0] for name in ours} | {"tui.doors", "agent.config"}
    assert sorted(ours - WANTED - packages) == []
    assert sorted(more - ours - LIBRARY) == []


def test_what_follows_the_first_frame_has_no_screen_that_is_not_open(tmp_path: Path):
    script = "import sys, tui.app\ntui.app._load()\nsys.stderr.write(repr(sorted(sys.modules)))"

    found = loaded(script, tmp_path)

    assert [name for name in found if name.startswith("tui.screens.")] == []


def test_what_follows_the_first_frame_leaves_out_what_is_heavy(tmp_path: Path):
    script = "import sys, tui.app\ntui.app._load()\nsys.stderr.write(repr(sorted(sys.modules)))"

    found = loaded(script, tmp_path)

    assert sorted(SELDOM & found) == []
