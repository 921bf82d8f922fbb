from __future__ import annotations

import os
from pathlib import Path

import pytest

from agent.tools import registry
from agent.tools.glob import TOOL, expanded, glob
from agent.tools.grep import grep
from agent.tools.local import LocalWorkspace
from agent.tools.tool import ToolError
from tests.programs import need


@pytest.fixture
def project(root: Path) -> Path:
    files = {
        ".gitignore": "*.log\n/build/\n!keep.log\n",
        "a.py": "import os\nprint('needle')\n",
        "src/b.py": "x = 'NEEDLE'\r\ny = 1\r\n",
        "src/c.ts": "needle()\n",
        "src/.gitignore": "generated.*\n!special.log\n",
        "src/generated.py": "needle\n",
        "build/out.py": "needle\n",
        "src/build/in.py": "needle\n",
        "src/special.log": "",
        "debug.log": "needle\n",
        "keep.log": "needle\n",
        ".hidden": "needle\n",
        ".git/config": "needle\n",
        "binary": "needle\0",
    }
    for number, (name, text) in enumerate(files.items()):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
        os.utime(path, (1000 - number, 1000 - number))
    (root / "link.py").symlink_to(root.parent / "outside.py")
    (root.parent / "outside.py").write_text("needle\n")
    (root / "folder").symlink_to(root.parent)
    return root


@pytest.fixture(params=["own", "ripgrep"])
def search(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    """Both ways to search must agree; ours is taken when no program of that name is on the path."""
    if request.param == "ripgrep":
        need("rg")
    if request.param == "own":
        monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    return str(request.param)


@pytest.mark.parametrize(
    ("pattern", "path", "found"),
    [
        ("*.py", ".", ["a.py", "src/b.py", "src/build/in.py"]),
        ("*.py", "src", ["src/b.py", "src/build/in.py"]),
        ("src/*.{py,ts}", ".", ["src/b.py", "src/c.ts"]),
        ("src/**/*.py", ".", ["src/b.py", "src/build/in.py"]),
        ("*.log", ".", ["src/special.log", "keep.log"]),
        ("./a.py", ".", ["a.py"]),
        ("src", ".", ["src/b.py", "src/c.ts", "src/.gitignore", "src/build/in.py", "src/special.log"]),
    ],
)
async def test_glob_finds_newest_first_what_is_not_ignored(
    workspace: LocalWorkspace, project: Path, pattern: str, path: str, found: list[str]
) -> None:
    assert (await glob(workspace, pattern, path)).text.split("\n") == found


async def test_glob_says_when_there_is_nothing_or_too_much(workspace: LocalWorkspace) -> None:
    assert "no file matches" in (await glob(workspace, "*.zig")).text

    for number in range(300):
        (workspace.root / f"{number}.zig").touch()

    assert (await glob(workspace, "*.zig")).text.endswith("(newest 200 of 300; use a narrower pattern)")


async def test_glob_stays_in_the_workspace(workspace: LocalWorkspace, project: Path) -> None:
    for path in ("..", "folder", "/"):
        with pytest.raises(ToolError, match="outside the workspace"):
            await glob(workspace, "*", path)


def test_braces_expand_as_in_a_shell() -> None:
    assert expanded("{a,b}/{c,d}") == ["a/c", "a/d", "b/c", "b/d"]
    assert expanded("plain{}") == ["plain{}"]


@pytest.mark.usefixtures("project", "search")
async def test_grep_finds_lines_that_are_not_ignored(workspace: LocalWorkspace) -> None:
    found = await grep(workspace, "needle")

    assert sorted(found.text.split("\n")) == [
        ".hidden:1: needle",
        "a.py:2: print('needle')",
        "keep.log:1: needle",
        "src/build/in.py:1: needle",
        "src/c.ts:1: needle()",
    ]


@pytest.mark.usefixtures("project", "search")
@pytest.mark.parametrize(
    ("pattern", "path", "names", "ignore_case", "found"),
    [
        ("needle", "src", "*.py", True, ["src/b.py:1: x = 'NEEDLE'", "src/build/in.py:1: needle"]),
        ("needle", ".", "{a,c}.*", False, ["a.py:2: print('needle')", "src/c.ts:1: needle()"]),
        ("^y = 1$", ".", "", False, ["src/b.py:2: y = 1"]),
        (r"\by\b", "src/b.py", "", False, ["src/b.py:2: y = 1"]),
        ("needle", "debug.log", "", False, ["debug.log:1: needle"]),
    ],
)
async def test_grep_narrows_by_path_name_and_case(
    workspace: LocalWorkspace, pattern: str, path: str, names: str, ignore_case: bool, found: list[str]
) -> None:
    lines = await grep(workspace, pattern, path, names, ignore_case)

    assert sorted(lines.text.split("\n")) == found


@pytest.mark.usefixtures("project", "search")
async def test_grep_explains_a_bad_pattern_and_an_empty_result(workspace: LocalWorkspace) -> None:
    with pytest.raises(ToolError, match="escape what is meant literally"):
        await grep(workspace, "f(")
    with pytest.raises(ToolError, match="does not exist"):
        await grep(workspace, "x", "missing")

    assert "no match" in (await grep(workspace, "nowhere to be found")).text


@pytest.mark.usefixtures("search")
async def test_grep_is_bounded(workspace: LocalWorkspace) -> None:
    (workspace.root / "a.txt").write_text(f"{'x' * 5000}\n" * 1000)

    found = (await grep(workspace, "x")).text.split("\n")

    assert len(found) == 201
    assert found[-1].startswith("(more than 200 matches")
    assert max(map(len, found)) < 400


@pytest.mark.usefixtures("search")
async def test_grep_leaves_out_secrets_and_says_so(workspace: LocalWorkspace, root: Path) -> None:
    (root / "sub").mkdir()
    for name in ("a.py", "sub/.env", ".ENV.local", "key.pem", ".env.example"):
        (root / name).write_text("needle\n")

    whole = await grep(workspace, "needle")
    other = await grep(workspace, "nothing like it")
    named = await grep(workspace, "needle", "sub/.env")

    assert sorted(whole.text.splitlines()[:2]) == [".env.example:1: needle", "a.py:1: needle"]
    assert len(whole.text.splitlines()) == 3
    for text in (whole.text, other.text):
        assert "may hold secrets: .ENV.local, key.pem, sub/.env" in text
    assert named.text == "sub/.env:1: needle"


@pytest.mark.usefixtures("search")
async def test_grep_leaves_out_files_with_a_further_name(workspace: LocalWorkspace, root: Path) -> None:
    (root.parent / "outside.txt").write_text("needle\n")
    (root / "inside.txt").hardlink_to(root.parent / "outside.txt")

    found = await grep(workspace, "needle")

    assert "inside.txt" not in found.text


@pytest.mark.usefixtures("project", "search")
async def test_a_search_counts_what_it_found(workspace: LocalWorkspace) -> None:
    (workspace.root / "a.py").write_text("needle\nneedle\n")
    (workspace.root / "many.txt").write_text("often\n" * 300)

    assert (await glob(workspace, "*.py")).metadata == {"files": 3}
    assert (await glob(workspace, "*.zig")).metadata == {"files": 0}
    assert (await grep(workspace, "needle", ".", "*.py")).metadata == {"hits": 3, "files": 2}
    assert (await grep(workspace, "nowhere to be found")).metadata == {"hits": 0, "files": 0}
    assert (await grep(workspace, "often")).metadata == {"hits": 200, "more": True}


@pytest.mark.usefixtures("search")
async def test_grep_never_shows_what_is_secret(root: Path, tmp_path: Path) -> None:
    workspace = LocalWorkspace(root, tmp_path / "logs", {}, secret=(root / "keys",))
    (root / "keys").mkdir()
    (root / "keys" / "openai").write_text("needle\n")

    assert "no match" in (await grep(workspace, "needle")).text


@pytest.mark.usefixtures("search")
async def test_odd_names_neither_break_lines_nor_encodings(workspace: LocalWorkspace) -> None:
    (workspace.root / "new\nline\x1b.txt").write_text("needle\n")
    with open(os.fsencode(workspace.root) + b"/\xff.txt", "w", encoding="utf-8") as file:  # noqa: PTH123
        file.write("needle\n")

    listed = await registry.call(TOOL, workspace, {"pattern": "*.txt"})
    found = await registry.call(registry.find(registry.DEFAULTS, "grep"), workspace, {"pattern": "needle"})

    assert sorted(listed.text.split("\n")) == ["?.txt", "new\\x0aline\\x1b.txt"]
    assert found.text.encode()


@pytest.mark.parametrize(
    ("pattern", "title"),
    [("src/*.py", "src/*.py"), ("{a,b*}", "a, b*"), ("{a,b}.{c,d}", "{a,b}.{c,d}"), ("{}", "{}")],
)
def test_several_patterns_are_told_as_a_list(pattern: str, title: str) -> None:
    assert TOOL.title({"pattern": pattern}) == title
