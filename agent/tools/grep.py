"""Finds text in files, with ripgrep where it is installed."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

from agent.executables import find_program
from agent.tools import process, tree
from agent.tools.diff import shown
from agent.tools.glob import expanded, matching
from agent.tools.tool import Output, Target, Tool, ToolError, Workspace

MOST = 200
SECONDS = 20.0
BYTES = 400_000
_ENVIRONMENT = {"LC_ALL": "C.UTF-8"}

_SEARCH = str(Path(__file__).with_name("search.py"))


async def grep(
    workspace: Workspace,
    pattern: Annotated[str, "regular expression"],
    path: Annotated[str, "file or directory to look in"] = ".",
    glob: Annotated[str, "only files with such names, as *.py"] = "",
    ignore_case: bool = False,
) -> Output:
    start = workspace.resolve(path)
    base = await asyncio.to_thread(_base, workspace.root, path, start)
    with TemporaryDirectory(prefix="wakeful-") as scratch:
        program = find_program("rg", root=workspace.root)
        if program is None:
            request = await asyncio.to_thread(_request, scratch, base, start, pattern, glob, ignore_case)
            argv = [sys.executable, "-I", "-S", _SEARCH, str(request)]
        else:
            argv = _ripgrep(program, pattern, str(start.relative_to(base)), glob, ignore_case=ignore_case)
        log = Path(scratch) / "log"
        code, capture = await process.run(
            argv, cwd=base, env=_ENVIRONMENT, log=log, timeout=SECONDS, head=BYTES
        )
    output = capture.text()
    if code is None:
        raise ToolError(f"the search took over {SECONDS:.0f} s; use a simpler pattern or a smaller path")
    # A file that was named is meant, ignored or not; and ripgrep's --glob overrules its ignore files.
    ignore = None if start.is_file() else tree.Ignore(base)
    found = await asyncio.to_thread(_listed, workspace, base, output, ignore)
    # ripgrep also ends with 2 when a single file could not be opened.
    if code == 2 and output and not found.text:
        reason = output[:300].strip()
        raise ToolError(f"{pattern!r} is not valid: {reason}; escape what is meant literally")
    nothing = f"no match for {pattern!r} in {path}; ignored files are not searched"
    return replace(found, text=found.text or nothing)


def _base(root: Path, path: str, start: Path) -> Path:
    if not start.exists():
        raise ToolError(f"{path} does not exist; use glob to find it")
    if start.is_relative_to(root):
        return root
    return start if start.is_dir() else start.parent


def _request(scratch: str, base: Path, start: Path, pattern: str, glob: str, ignore_case: bool) -> Path:
    paths = [str(start.relative_to(base))] if start.is_file() else list(tree.walk(base, start))
    if glob:
        paths = matching(glob, paths)
    wanted = {
        "root": str(base),
        "pattern": pattern,
        "ignore_case": ignore_case,
        "most": MOST + 1,
        "paths": paths,
    }
    path = Path(scratch) / "request"
    path.write_text(json.dumps(wanted), encoding="utf-8")
    return path


def _ripgrep(program: str, pattern: str, start: str, glob: str, *, ignore_case: bool) -> list[str]:
    options = (
        "--no-config --hidden --no-require-git --no-ignore-global --no-heading --with-filename --line-number"
    )
    options += " --color=never --sort=path --no-messages --max-columns=300 --max-columns-preview"
    options += " --max-filesize=10M --crlf --field-match-separator=\t"
    argv = [program, *options.split(" "), f"--max-count={MOST + 1}", "--glob=!.git"]
    argv += [f"--glob={one}" for one in expanded(glob) if one]
    if ignore_case:
        argv.append("--ignore-case")
    return [*argv, f"--regexp={pattern}", "--", start]


def _listed(workspace: Workspace, base: Path, output: str, ignore: tree.Ignore | None) -> Output:
    lines: list[str] = []
    files: set[str] = set()
    readable: dict[str, bool] = {}
    for found in output.split("\n"):
        name, _, rest = found.removeprefix("./").partition("\t")
        number, _, text = rest.partition("\t")
        if not number.isdigit():
            continue
        if name not in readable:
            readable[name] = _readable(workspace, base / name) and not (
                ignore and ignore.hides_on_the_way(name)
            )
        if readable[name]:
            lines.append(f"{shown(workspace.root, base / name)}:{number}: {text}")
            files.add(name)
    if len(lines) <= MOST:
        return Output("\n".join(lines), metadata={"hits": len(lines), "files": len(files)})
    lines[MOST:] = [f"(more than {MOST} matches; use a narrower pattern, path or glob)"]
    # How many files there are is not known then: the search stopped on the way.
    return Output("\n".join(lines), metadata={"hits": MOST, "more": True})


def _readable(workspace: Workspace, path: Path) -> bool:
    try:
        workspace.resolve(str(path))
    except ToolError:
        return False
    return True


def _targets(arguments: Mapping[str, Any]) -> tuple[Target, ...]:
    return (Target("read", arguments["path"]),)


def _title(arguments: Mapping[str, Any]) -> str:
    return f"{arguments['pattern']} in {arguments['path']}"


TOOL = Tool("grep", grep, _targets, _title, safe=True)
