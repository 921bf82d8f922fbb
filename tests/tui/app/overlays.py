"""Everything that can lie over the screen, with something in it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from agent.commands.results import Option
from agent.config.load import load
from agent.inbox import Inbox
from agent.paths import Paths
from store.search import CLOSE, OPEN, Hit
from tui.keyboard import Bound
from tui.screens.asking import LineScreen
from tui.screens.keys import KeysScreen, PressScreen
from tui.screens.overlay import Overlay
from tui.screens.palette import PaletteScreen
from tui.screens.picker import PickerScreen
from tui.screens.queue import QueueScreen
from tui.screens.rewind import Outlook, RewindScreen
from tui.screens.rows import Row
from tui.screens.search import SearchScreen
from tui.screens.sessions import SessionScreen
from tui.screens.settings import SettingsScreen, all_shown
from tui.screens.themes import ThemeScreen, offers
from tui.transcript.ink import Ink

SESSIONS = [
    Row("/resume 1", "find why test_login fails now and then", "idle, 3/7, $0.42, 2 min ago", current=True),
    Row("/resume 2", "survey this project", "dormant, 5/5, yesterday"),
    Row(
        "/resume 3",
        "日本語のタイトル, and a title much too long for the room there is on any line",
        "dormant",
    ),
]
MODELS = [
    Row("/model offline", "offline", "built in, no LLM", current=True),
    Row("/model ollama/qwen3", "ollama/qwen3", "on this machine"),
    Row("/setup", "Another provider, or its key", "leads there step by step"),
]
COMMANDS = [
    Row("/todos", "/todos [FILTER]", "the list, filtered"),
    Row("/theme", "/theme [NAME]", "try themes on", key="f2"),
    Row("/quit", "/quit", "leave"),
]
POINTS = (
    Option("/rewind 5", "5  and fix it", "1 file, 2 min ago"),
    Option("/rewind 1", "1  find why test_login fails now and then", "3 files, 1 command, 9 min ago"),
)
OUTLOOK = Outlook(
    "4 messages",
    ("app/session.py", "tests/test_login.py"),
    (("notes.txt", "changed by someone else since"),),
    "1 command ran since: what it did outside of the project stays",
)
# Yet to come, so that its age is the same at any time.
LATER = 2**52
HITS = (
    Hit(
        "message",
        1,
        "1",
        "find why test_login fails",
        "assistant",
        LATER,
        f"the {OPEN}clock{CLOSE} is read twice",
    ),
    Hit(
        "todo",
        3,
        "1",
        "find why test_login fails",
        "completed",
        LATER,
        f"Find where the {OPEN}clock{CLOSE} comes in",
    ),
)
ACTIONS = [Row("plan", "Show or hide the plan", key="ctrl+t"), Row("search", "Find", key="ctrl+f")]
BOUND = [
    Bound("Anywhere", "plan", "Show or hide the plan", ("ctrl+t",), ("ctrl+t",), False),
    Bound("Anywhere", "search", "Find in the conversation", ("f3",), ("ctrl+f",), True),
    Bound("In the plan", "plan-tick", "Tick, or open again", ("space",), ("space",), False),
]


def _themes(ink: Ink, folder: Path) -> Overlay:
    found = offers(Paths(folder, folder, folder), {"COLORTERM": "truecolor"})
    return ThemeScreen(ink, found, "wakeful")


def _settings(ink: Ink, folder: Path) -> Overlay:
    return SettingsScreen(ink, all_shown(load(Paths(folder, folder, folder), {})))


def _queue(ink: Ink, _: Path) -> Overlay:
    inbox = Inbox()
    inbox.add("then run the linter")
    inbox.add("and read the docs")
    return QueueScreen(ink, inbox)


SCREENS: dict[str, Callable[[Ink, Path], Overlay | PressScreen]] = {
    "models": lambda ink, _: PickerScreen(ink, "Model for the next turn", MODELS, stem="/model "),
    "palette": lambda ink, _: PaletteScreen(ink, COMMANDS, ACTIONS),
    "keys": lambda ink, _: KeysScreen(ink, BOUND, []),
    "press": lambda ink, _: PressScreen(ink, "Show or hide the plan"),
    "themes": _themes,
    "sessions": lambda ink, _: SessionScreen(ink, "Sessions of this folder", SESSIONS),
    "settings": _settings,
    "queue": _queue,
    "line": lambda ink, _: LineScreen(ink, "Key for Mistral", "paste it here", lambda _: "", secret=True),
    "rewind": lambda ink, _: RewindScreen(ink, "Go back to before which message?", POINTS),
    "search": lambda ink, _: SearchScreen(ink, "clock", HITS),
}
