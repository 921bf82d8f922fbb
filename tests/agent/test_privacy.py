from __future__ import annotations

import os
from pathlib import Path

from agent.models.scripted import Scripted
from agent.paths import Paths
from agent.privacy import exposed, keep_private
from tests.agent.openings import stage


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def loose(tmp_path: Path) -> Paths:
    """Folders and files as an earlier version, or somebody with an editor, may have left them."""
    paths = Paths(tmp_path / "config", tmp_path / "data", tmp_path / "state")
    for folder in (paths.config_folder, paths.data_folder, paths.locks, paths.state_folder / "outputs"):
        folder.mkdir(parents=True)
    for file in (paths.keys, paths.database, paths.log, paths.config):
        file.write_text("")
        file.chmod(0o644)
    for folder in (tmp_path / "config", tmp_path / "data", tmp_path / "state", paths.locks):
        folder.chmod(0o755)
    return paths


def test_folders_and_files_of_earlier_versions_are_repaired(tmp_path: Path):
    paths = loose(tmp_path)
    (paths.state_folder / "outputs").chmod(0o755)

    notices = keep_private(paths)

    folders = (paths.config_folder, paths.data_folder, paths.state_folder, paths.locks)
    assert [mode(folder) for folder in (*folders, paths.state_folder / "outputs")] == [0o700] * 5
    assert [mode(file) for file in (paths.keys, paths.database, paths.log)] == [0o600] * 3
    assert len(notices) == 1
    assert f"{paths.keys} could be read by others and is readable by you alone now" in notices[0]
    assert keep_private(paths) == []


def test_what_others_can_read_is_named(tmp_path: Path):
    paths = loose(tmp_path)

    assert {paths.keys, paths.state_folder, paths.database} <= set(exposed(paths))


def test_a_folder_that_others_use_too_keeps_its_mode(tmp_path: Path):
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o1777)

    keep_private(Paths(shared, shared, shared))

    assert shared.stat().st_mode & 0o7777 == 0o1777


async def test_a_session_leaves_no_folder_open_to_others(tmp_path: Path):
    paths = Paths(tmp_path / "a" / "config", tmp_path / "a" / "data", tmp_path / "a" / "state")
    umask = os.umask(0o022)
    try:
        async with stage(tmp_path, Scripted([]), paths=paths) as scene:
            scene.opened.workshop.workspace.keep("long")
            modes = {mode(found) for found in (tmp_path / "a").glob("*/**") if found.is_dir()}
    finally:
        os.umask(umask)

    assert modes == {0o700}


async def test_long_outputs_are_read_in_their_own_workspace_alone(tmp_path: Path):
    (tmp_path / "other").mkdir()
    async with stage(tmp_path, Scripted([])) as scene:
        mine = scene.opened.workshop.workspace.keep("long")
        own = scene.opened.gate.policy.decide("read", "read", str(mine)).verdict
    async with stage(tmp_path, Scripted([]), root=tmp_path / "other") as other:
        foreign = other.opened.gate.policy.decide("read", "read", str(mine)).verdict
        command = other.opened.gate.policy.decide("shell", "shell", f"cat {mine}").verdict

    assert (own, foreign, command) == ("allow", "deny", "deny")
