"""Whether a page can be opened beside the terminal: a browser inside it would paint over the screen."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import PurePath

_IN_TERMINAL = frozenset(("www-browser", "links", "elinks", "lynx", "w3m"))


def has_browser(environment: Mapping[str, str]) -> bool:
    if sys.platform == "darwin":
        return True
    if not (environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY")):
        return False
    import webbrowser

    try:
        found = webbrowser.get()
    except webbrowser.Error:
        return False
    return PurePath(found.name).name not in _IN_TERMINAL
