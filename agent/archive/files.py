"""Exports as files: the text of each format, a name to keep it under, and a file that replaces none."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal

from agent.archive.markdown import to_markdown
from agent.archive.page import to_html
from agent.archive.records import Archive, ArchiveError
from agent.archive.wire import to_json

Format = Literal["md", "json", "html"]
WRITERS: Mapping[str, Callable[[Archive], str]] = {"md": to_markdown, "json": to_json, "html": to_html}

_LONGEST_NAME = 40


def format_of(path: Path) -> str | None:
    """By the end of its name."""
    ending = path.suffix.lower().removeprefix(".")
    found = {"markdown": "md", "htm": "html"}.get(ending, ending)
    return found if found in WRITERS else None


def file_name(archive: Archive, kind: str) -> str:
    """`fix-the-login-7Q4Z.html`: the title as far as a file can have it, and the end of the id."""
    words = re.findall(r"[\w-]+", archive.session.title.lower())
    name = "-".join(words)[:_LONGEST_NAME].strip("-_") or "session"
    return f"{name}-{archive.session.id[-4:]}.{kind}"


def write_new(path: Path, text: str) -> None:
    """Readable by the user alone until they decide otherwise; a file that is there stays as it is."""
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    except FileExistsError as error:
        raise ArchiveError(f"{path} is there already; give another name") from error
    except OSError as error:
        raise ArchiveError(f"{path} cannot be written ({error.strerror}); give another place") from error
    with os.fdopen(handle, "w", encoding="utf-8", errors="replace") as file:
        file.write(text)


def free_path(folder: Path, name: str) -> Path:
    """The name, or the name with a number where it is taken."""
    stem, ending = name.rsplit(".", 1)
    candidates = (
        folder / f"{stem}{f'-{number}' if number > 1 else ''}.{ending}" for number in range(1, 1000)
    )
    return next((path for path in candidates if not path.exists()), folder / name)
