from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("tui", "agent", "store", "themes")
SQL = re.compile(
    r"\s*(SELECT\s.+\sFROM\s|INSERT\s+(OR\s+\w+\s+)?INTO\s|UPDATE\s+\w+\s+SET\s|DELETE\s+FROM\s"
    r"|(CREATE|DROP|ALTER)\s+(TABLE|INDEX|TRIGGER|VIEW|VIRTUAL)\s|PRAGMA\s+\w+|BEGIN\s+IMMEDIATE|WITH\s.+\sAS\s*\()",
    re.IGNORECASE | re.DOTALL,
)
USER_INTERFACES = {"textual", "rich", "prompt_toolkit"}
# Costs 5 CPU seconds, so one module imports it, in a process of its own.
LITELLM_HOME = Path("agent/models/host.py")


def sources(*packages: str) -> list[Path]:
    return sorted(path for package in packages for path in (ROOT / package).rglob("*.py"))


def modules(*packages: str) -> list[str]:
    return [
        ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for path in sources(*packages)
        if path.name not in {"__init__.py", "__main__.py"}
    ]


def loaded_after(statement: str) -> set[str]:
    """The top-level modules a fresh interpreter holds once it has run the statement."""
    script = f"import sys\n{statement}\nsys.stderr.write(repr(sorted(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT
    )
    return set(ast.literal_eval(done.stderr))


def texts(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """String literals that are values; docstrings and other bare statements are prose."""
    prose = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose:
            yield node.lineno, node.value


def imported(tree: ast.Module) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, name.name) for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.lineno, node.module


def test_the_headless_path_loads_no_user_interface_and_no_litellm() -> None:
    chosen = [name for name in modules("agent", "store") if name != "agent.models.host"]

    loaded = loaded_after(f"import {', '.join(chosen)}")

    assert loaded & {*USER_INTERFACES, "litellm"} == set()
    assert set(chosen) <= loaded


def test_the_command_line_without_a_screen_loads_no_user_interface() -> None:
    loaded = loaded_after(
        "import io, os; from tui.dispatch import dispatch\n"
        "sys.stdout = io.StringIO()\n"
        "for line in (['doctor', '--json'], ['config'], ['completion', 'bash']): dispatch(line)"
    )

    assert loaded & {*USER_INTERFACES, "litellm"} == set()
    assert "tui.doors.completion" in loaded


def test_version_loads_nothing_but_the_command_line() -> None:
    bare = loaded_after("pass")

    loaded = loaded_after("sys.argv = ['wakeful', '--version']\nfrom tui.cli import main; main()")

    assert loaded - bare == {"tui", "tui.cli", "tui.version"}


def test_help_loads_neither_doors_nor_anything_heavy() -> None:
    loaded = loaded_after("from tui.dispatch import dispatch; dispatch(['--help'])")

    assert not [name for name in loaded if name.startswith("tui.doors.")]
    assert (
        loaded & {*USER_INTERFACES, "litellm", "pydantic", "asyncio", "httpx", "sqlite3", "tomllib"} == set()
    )


@pytest.mark.parametrize("package", ["tui", "agent", "themes", "bench"])
def test_sql_is_written_in_the_store_alone(package: str) -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}"
        for path in sources(package)
        for line, text in texts(ast.parse(path.read_text()))
        if SQL.match(text)
    ]

    assert found == []


@pytest.mark.parametrize(
    ("source", "count"),
    [
        ("x = 'SELECT id FROM todos'", 1),
        ("x = f'DELETE FROM {table}'", 1),
        ("x = '''\n  insert or ignore into todos values (1)'''", 1),
        ("'''Select a model from the list.'''", 0),
        ("x = 'update the list'", 0),
        ("x = 'select a model'", 0),
    ],
)
def test_the_search_for_sql_tells_it_from_prose(source: str, count: int) -> None:
    assert len([text for _, text in texts(ast.parse(source)) if SQL.match(text)]) == count


def test_only_one_module_imports_litellm() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}"
        for path in sources(*PACKAGES, "bench")
        if path.relative_to(ROOT) != LITELLM_HOME
        for line, name in imported(ast.parse(path.read_text()))
        if name.partition(".")[0] == "litellm"
    ]

    assert found == []


def test_packages_are_empty_so_that_importing_one_costs_nothing() -> None:
    full = [
        path
        for path in sources(*PACKAGES, "bench")
        if path.name == "__init__.py" and path.read_text().strip()
    ]

    assert full == []


def test_every_folder_with_modules_is_a_package() -> None:
    folders = {path.parent for path in sources(*PACKAGES)}

    assert [folder for folder in folders if not (folder / "__init__.py").exists()] == []


def test_every_module_opens_with_why_it_exists() -> None:
    silent = [
        str(path.relative_to(ROOT))
        for path in sources(*PACKAGES, "bench")
        if path.name != "__init__.py" and not ast.get_docstring(ast.parse(path.read_text()))
    ]

    assert silent == []
