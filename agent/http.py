"""Loads httpx without its command line and HTTP/2: nobody here uses them, and they are half of its price."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any, cast

# httpx does without a part that cannot be imported, and None in the table of modules says so.
_UNWANTED = ("httpx._main", "h2")


def load_httpx() -> None:
    """Before the first `import httpx`; costs 100 ms, so no key should wait for it."""
    table = cast("dict[str, Any]", sys.modules)
    left_out = [name for name in _UNWANTED if name not in table]
    table.update(dict.fromkeys(left_out))
    try:
        import_module("httpx")
        # It would come with the first client.
        import_module("httpcore")
    finally:
        for name in left_out:
            del table[name]
