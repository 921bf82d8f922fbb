import subprocess
from pathlib import Path

from tui.branch import branch_of


def git(folder: Path, *words: str) -> None:
    subprocess.run(
        ["git", "-c", "user.name=t", "-c", "user.email=t@example.org", *words],
        cwd=folder,
        check=True,
        capture_output=True,
    )


def test_the_branch_is_read_without_running_git(tmp_path: Path):
    folder = tmp_path / "project"
    (folder / "deep").mkdir(parents=True)
    git(folder, "init", "-b", "topic/one")
    git(folder, "commit", "--allow-empty", "-m", "x")
    git(folder, "worktree", "add", "-b", "two", str(tmp_path / "other"))

    assert branch_of(folder / "deep") == "topic/one"
    assert branch_of(tmp_path / "other") == "two"
    git(folder, "checkout", "--detach")
    assert len(branch_of(folder)) == 7


def test_a_folder_without_git_has_no_branch(tmp_path: Path):
    assert branch_of(tmp_path) == ""
