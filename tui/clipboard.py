"""The ways into the user's clipboard: through the terminal, also a far one, and through tmux."""

from __future__ import annotations

import asyncio
from asyncio.subprocess import DEVNULL, PIPE
from base64 import b64encode
from collections.abc import Mapping

from agent.executables import find_program

_PATIENCE = 2.0


def sequence(text: str) -> str:
    """What makes a terminal take something into its clipboard."""
    return f"\x1b]52;c;{b64encode(text.encode()).decode()}\a"


async def offer_to_tmux(text: str, environment: Mapping[str, str]) -> None:
    """Unless it is set up otherwise, tmux drops the sequence; asked itself, it passes the text on."""
    program = find_program("tmux", path=environment.get("PATH")) if environment.get("TMUX") else None
    if program is None:
        return
    try:
        process = await asyncio.create_subprocess_exec(
            program, "load-buffer", "-w", "-", stdin=PIPE, stdout=DEVNULL, stderr=DEVNULL, env=environment
        )
    except OSError:
        # Seen from inside a container, say: the sequence is all there is.
        return
    try:
        async with asyncio.timeout(_PATIENCE):
            await process.communicate(text.encode())
    except TimeoutError:
        process.kill()
        await process.wait()
