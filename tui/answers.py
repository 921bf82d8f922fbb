"""Prints what a command without a screen answers: as text for people, as JSON for scripts."""

from __future__ import annotations

import sys
from typing import Any


def print_text(text: str) -> None:
    from tui.escapes import safe, speaks_unicode

    sys.stdout.write(safe(text, unicode=speaks_unicode(sys.stdout)) + "\n")


def print_json(value: dict[str, Any]) -> None:
    import json

    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2) + "\n")
