"""Opens a page in a browser beside the terminal: a browser inside it would paint over the screen."""

from __future__ import annotations

import shlex
import subprocess
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import PurePath

from agent.executables import find_program, safe_path

_IN_TERMINAL = frozenset(("www-browser", "links", "elinks", "lynx", "w3m"))
_USUAL = ("xdg-open", "gio open", "x-www-browser", "firefox", "chromium", "google-chrome")


def browser_command(environment: Mapping[str, str]) -> list[str]:
    """Return what opens a page when its address is added; empty where nothing does."""
    path = environment.get("PATH")
    if sys.platform == "darwin":
        return [found] if (found := find_program("open", path=path)) else []
    if not (environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY")):
        return []
    for choice in (*environment.get("BROWSER", "").split(":"), *_USUAL):
        with suppress(ValueError):
            words = shlex.split(choice.replace("%s", ""))
            if not words:
                continue
            if PurePath(words[0]).name in _IN_TERMINAL:
                return []
            found = find_program(words[0], path=path)
            if found is not None:
                return [found, *words[1:]]
    return []


def open_page(address: str, command: list[str], environment: Mapping[str, str]) -> bool:
    """Start the browser and leave it to itself; False if it does not start."""
    # The openers look for browsers themselves.
    variables = {**environment, "PATH": safe_path(path=environment.get("PATH"))}
    try:
        process = subprocess.Popen(
            [*command, address],
            env=variables,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError:
        return False
    # A browser may stay longer than we do; nothing waits for this thread at the end.
    threading.Thread(target=process.wait, daemon=True).start()
    return True
