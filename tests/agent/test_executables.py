from __future__ import annotations

import os
from pathlib import Path

import pytest

from agent.executables import absolute_entries, find_program, found_below, safe_path


def program(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "ws"
    program(root / "rg")
    program(root / "bin" / "rg")
    monkeypatch.chdir(root)
    return root


@pytest.mark.parametrize(
    "entry", ["", ".", "bin", "./bin", "../ws", "{root}", "{root}/bin", "{root}/../ws/bin"]
)
def test_a_program_of_the_workspace_is_never_found(root: Path, tmp_path: Path, entry: str) -> None:
    good = program(tmp_path / "good" / "rg")
    path = f"{entry.format(root=root)}:{good.parent}"

    assert find_program("rg", path=path) == str(good)
    assert find_program("rg", path=entry.format(root=root)) is None
    assert safe_path(path=path) == str(good.parent)


def test_a_workspace_that_is_not_the_current_folder_counts_too(root: Path, tmp_path: Path) -> None:
    other = program(tmp_path / "other" / "bin" / "rg")

    assert find_program("rg", path=str(other.parent)) == str(other)
    assert find_program("rg", path=str(other.parent), root=other.parents[1]) is None
    assert root.exists()


def test_links_into_the_workspace_are_passed_over(root: Path, tmp_path: Path) -> None:
    folder, good = tmp_path / "links", program(tmp_path / "good" / "rg")
    folder.mkdir()
    (folder / "rg").symlink_to(root / "rg")
    (tmp_path / "linked").symlink_to(root / "bin")

    assert find_program("rg", path=f"{folder}:{tmp_path / 'linked'}:{good.parent}") == str(good)


def test_the_folders_of_the_system_stay_usable_in_a_workspace_that_holds_them() -> None:
    assert find_program("sh", root="/", path="/usr/bin:/bin") in ("/usr/bin/sh", "/bin/sh")


def test_only_files_that_can_be_executed_are_found(root: Path, tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    (plain / "folder").mkdir(parents=True)
    (plain / "text").touch()

    assert find_program("folder", path=str(plain)) is None
    assert find_program("text", path=str(plain)) is None
    assert find_program("bin/rg", path=str(root)) is None
    assert find_program(str(root / "rg"), path="") == str(root / "rg")


def test_a_search_path_is_never_empty() -> None:
    assert absolute_entries(".::bin") == os.defpath
    assert absolute_entries(".:/bin::x") == "/bin"
    assert safe_path(path=":.") == os.defpath


@pytest.mark.parametrize(
    ("path", "expected"),
    [("/usr/bin:/bin:{root}", False), ("{root}:/usr/bin:/bin", True), (":/bin", True), ("sub:/bin", False)],
)
def test_the_first_hit_decides_what_a_name_means(root: Path, path: str, expected: bool) -> None:
    program(root / "ls")

    assert found_below("ls", root, path.format(root=root)) is expected
