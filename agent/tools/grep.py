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
from agent.permissions import secret_names
from agent.permissions.paths import is_linked
from agent.permissions.secret_names import mentions_secret
from agent.tools import process, tree
from agent.tools.diff import shown
from agent.tools.glob import expanded, matching
from agent.tools.tool import Output, Target, Tool, ToolError, Workspace

MOST = 200
# So many files that were left out are named.
NAMED = 5
SECONDS = 20.0
BYTES = 400_000
_ENVIRONMENT = {"LC_ALL": "C.UTF-8"}

_SEARCH = str(Path(__file__).with_name("search.py"))


async def grep(
    workspace: Workspace,
    pattern: str,
    path: str = ".",
    glob: Annotated[str, "such as *.py"] = "",
    ignore_case: bool = False,
) -> Output:
    start = workspace.resolve(path)
    base = await asyncio.to_thread(_base, workspace.root, path, start)
    # What was named by the call was permitted by its name.
    meant = start.is_file() or bool(mentions_secret(str(start.relative_to(base))))
    with TemporaryDirectory(prefix="wakeful-") as scratch:
        program = find_program("rg", root=workspace.root)
        if program is None:
            paths = await asyncio.to_thread(_paths, base, start, glob)
            secret = [] if meant else [path for path in paths if mentions_secret(path)]
            request = _request(scratch, base, pattern, sorted({*paths} - {*secret}), ignore_case)
            argv = [sys.executable, "-I", "-S", _SEARCH, str(request)]
        else:
            secret = [] if meant else await _secrets(program, base, start, Path(scratch) / "names")
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
    found = await asyncio.to_thread(_listed, workspace, base, output, ignore, meant)
    # ripgrep also ends with 2 when a single file could not be opened.
    if code == 2 and output and not found.text:
        reason = output[:300].strip()
        raise ToolError(f"{pattern!r} is not valid: {reason}; escape what is meant literally")
    nothing = f"no match for {pattern!r} in {path}; ignored files are not searched"
    return replace(found, text=(found.text or nothing) + await asyncio.to_thread(_left_out, secret, ignore))


def _base(root: Path, path: str, start: Path) -> Path:
    if not start.exists():
        raise ToolError(f"{path} does not exist; use glob to find it")
    if start.is_relative_to(root):
        return root
    return start if start.is_dir() else start.parent


async def _secrets(program: str, base: Path, start: Path, log: Path) -> list[str]:
    """Files whose name speaks of secrets, whatever is in them: nobody should learn whether they match."""
    rows = (f"**/{row}**" if row.endswith("/") else f"**/{row}" for row in secret_names.TABLE.rows)
    argv = [program, "--no-config", "--hidden", "--no-require-git", "--no-ignore-global", "--no-messages"]
    argv += ["--files", "--sort=path", "--iglob=!.git", *(f"--iglob={row}" for row in rows)]
    argv += ["--", str(start.relative_to(base))]
    _, capture = await process.run(argv, cwd=base, env=_ENVIRONMENT, log=log, timeout=SECONDS, head=BYTES)
    names = (line.removeprefix("./") for line in capture.text().split("\n"))
    return [name for name in names if mentions_secret(name)]


def _left_out(secret: list[str], ignore: tree.Ignore | None) -> str:
    # ripgrep's own globs overrule its ignore files.
    names = [name for name in secret if not (ignore and ignore.hides_on_the_way(name))]
    if not names:
        return ""
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    listed = ", ".join((name if name.isprintable() else repr(name)) for name in names[:NAMED])
    return f"\n(not searched, because they may hold secrets: {listed}{more}; read asks for each)"


def _paths(base: Path, start: Path, glob: str) -> list[str]:
    paths = [str(start.relative_to(base))] if start.is_file() else list(tree.walk(base, start))
    return matching(glob, paths) if glob else paths


def _request(scratch: str, base: Path, pattern: str, paths: list[str], ignore_case: bool) -> Path:
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


def _listed(workspace: Workspace, base: Path, output: str, ignore: tree.Ignore | None, meant: bool) -> Output:
    lines: list[str] = []
    files: set[str] = set()
    readable: dict[str, bool] = {}
    for found in output.split("\n"):
        name, _, rest = found.removeprefix("./").partition("\t")
        number, _, text = rest.partition("\t")
        if not number.isdigit():
            continue
        if name not in readable:
            readable[name] = (
                _readable(workspace, base / name)
                and not (ignore and ignore.hides_on_the_way(name))
                and (meant or not (mentions_secret(name) or is_linked(base / name)))
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
