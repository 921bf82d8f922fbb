"""The user's own editor on what is being typed."""

from __future__ import annotations

import asyncio
import shlex
import tempfile
from collections.abc import Mapping
from pathlib import Path

from agent.executables import find_program, safe_path
from tui.errors import DoorError

_USUAL = ("nano", "vim", "vi")


async def edited(text: str, environment: Mapping[str, str]) -> str:
    """What the editor left; raises DoorError when there is none or it failed. It has the terminal."""
    words = _editor(environment)
    with tempfile.TemporaryDirectory(prefix="wakeful-") as folder:
        file = Path(folder) / "prompt.md"
        file.write_text(text, "utf-8")
        try:
            process = await asyncio.create_subprocess_exec(
                *words, str(file), env={**environment, "PATH": safe_path(path=environment.get("PATH"))}
            )
        except OSError as error:
            raise DoorError(f"{words[0]} does not start: {error.strerror}", "set EDITOR") from error
        try:
            code = await process.wait()
        except asyncio.CancelledError:
            process.terminate()
            raise
        if code:
            raise DoorError(f"{words[0]} ended with {code}; the prompt is as it was")
        try:
            return file.read_text("utf-8", "replace").removesuffix("\n")
        except OSError as error:
            raise DoorError(f"{words[0]} left nothing to read: {error.strerror}") from error


def _editor(environment: Mapping[str, str]) -> list[str]:
    for name in ("VISUAL", "EDITOR"):
        try:
            words = shlex.split(environment.get(name, ""))
        except ValueError as error:
            raise DoorError(f"{name} cannot be read: {error}", f"set {name} to a command") from error
        if words:
            found = _found(words[0], environment)
            if found is None:
                raise DoorError(f"{words[0]} does not start: not found outside this folder", f"set {name}")
            return [found, *words[1:]]
    found = next((program for name in _USUAL if (program := _found(name, environment))), None)
    if found is None:
        raise DoorError("there is no editor here", "set EDITOR to one")
    return [found]


def _found(name: str, environment: Mapping[str, str]) -> str | None:
    return find_program(name, path=environment.get("PATH"))
