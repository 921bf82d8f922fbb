"""`!command`: a command of the user's own, run as if typed in the shell the REPL was started from."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

from agent.executables import find_program
from agent.tools.process import Process
from store.frozen import frozen

_TOLD = 20_000


@frozen
class Ran:
    command: str
    code: int
    output: str
    milliseconds: int = 0

    def message(self) -> str:
        """How the agent is told of it."""
        output = self.output if len(self.output) <= _TOLD else f"… {self.output[-_TOLD:]}"
        return f"I ran `{self.command}` (exit code {self.code}):\n\n```\n{output.rstrip()}\n```"


async def run(command: str, root: Path, log: Path, emit: Callable[[str], None]) -> Ran:
    """Nothing it started outlives a cancel. It cannot ask: its input is empty."""
    shell = find_program(os.environ.get("SHELL", ""), root=root) or "/bin/sh"
    started = time.monotonic()
    process = await Process.start([shell, "-c", command], cwd=root, env=os.environ, log=log, emit=emit)
    try:
        code = await process.wait()
    finally:
        if process.code is None:
            await process.stop()
    took = round((time.monotonic() - started) * 1_000)
    return Ran(command, code, process.capture.text(), took)
