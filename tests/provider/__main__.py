"""Runs the scripted provider as a process of its own: prints its port, serves until stdin ends."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.provider.reply import Reply, from_json
from tests.provider.server import Provider, Received


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.provider")
    parser.add_argument("script", type=Path, help='a list of replies, or {"replies": [...], "repeat": true}')
    parser.add_argument("--log", type=Path, help="write one JSON line for each request here at the end")
    arguments = parser.parse_args()
    content: Any = json.loads(arguments.script.read_text())
    options: dict[str, Any] = {"replies": content} if isinstance(content, list) else content
    requests = asyncio.run(serve([from_json(reply) for reply in options.pop("replies")], options))
    if arguments.log is not None:
        arguments.log.write_text("".join(_row(received) + "\n" for received in requests))


async def serve(replies: Sequence[Reply], options: Mapping[str, Any]) -> list[Received]:
    async with Provider(replies, **options) as provider:
        print(provider.port, flush=True)
        await asyncio.to_thread(sys.stdin.buffer.read)
    return provider.requests


def _row(received: Received) -> str:
    times = {"at": received.at, "answered": received.answered}
    return json.dumps(times | {"path": received.path, "body": received.body.decode()})


main()
