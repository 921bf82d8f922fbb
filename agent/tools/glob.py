"""Finds files by name."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from agent.tools import tree
from agent.tools.diff import shown
from agent.tools.tool import Output, Target, Tool, ToolError, Workspace

MOST = 200


async def glob(
    workspace: Workspace,
    pattern: Annotated[str, "such as *.py, src/**/*.ts or {a,b}.md"],
    path: str = ".",
) -> Output:
    folder = workspace.resolve(path)
    if not await asyncio.to_thread(folder.is_dir):
        raise ToolError(f"{path} is not a directory")
    found = await asyncio.to_thread(_find, workspace.root, folder, pattern)
    if not found:
        text = f"no file matches {pattern}; ignored files are not listed, use shell with ls for those"
        return Output(text, metadata={"files": 0})
    more = [f"(newest {MOST} of {len(found)}; use a narrower pattern)"] if len(found) > MOST else []
    return Output("\n".join([*found[:MOST], *more]), metadata={"files": len(found)})


def expanded(pattern: str) -> list[str]:
    """Each combination of `{a,b}`, as shells give them."""
    found = re.search(r"\{([^{}]*,[^{}]*)\}", pattern)
    if found is None:
        return [pattern]
    head, tail = pattern[: found.start()], pattern[found.end() :]
    # Two to the power of many braces is more than anyone means.
    return [one for choice in found[1].split(",") for one in expanded(head + choice + tail)][:100]


def matching(pattern: str, paths: list[str]) -> list[str]:
    # pathspec costs 35 ms to import.
    from pathspec import GitIgnoreSpec

    return list(GitIgnoreSpec.from_lines(expanded(pattern)).match_files(paths))


def _find(root: Path, folder: Path, pattern: str) -> list[str]:
    base = root if folder.is_relative_to(root) else folder
    below = "" if folder == base else f"{folder.relative_to(base).as_posix()}/"
    paths = [path[len(below) :] for path in tree.walk(base, folder)]
    found = [folder / path for path in matching(pattern.removeprefix("./"), paths)]
    return [shown(root, path) for path in sorted(found, key=_newest_first)]


def _newest_first(path: Path) -> tuple[float, str]:
    try:
        return -path.stat().st_mtime, str(path)
    except OSError:
        return 0, str(path)


def _targets(arguments: Mapping[str, Any]) -> tuple[Target, ...]:
    return (Target("read", arguments["path"]),)


def _title(arguments: Mapping[str, Any]) -> str:
    """One of several patterns is told as a list of them."""
    pattern: str = arguments["pattern"]
    several = pattern[1:-1] if pattern.startswith("{") and pattern.endswith("}") else ""
    return pattern if not several or "{" in several or "}" in several else several.replace(",", ", ")


TOOL = Tool("glob", glob, _targets, _title, safe=True)
