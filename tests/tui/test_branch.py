import os
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


def test_a_head_that_is_a_pipe_or_no_head_at_all_shows_no_branch(tmp_path: Path):
    (tmp_path / ".git").mkdir()
    os.mkfifo(tmp_path / ".git" / "HEAD")
    assert branch_of(tmp_path) == ""

    (tmp_path / ".git" / "HEAD").unlink()
    (tmp_path / ".git" / "HEAD").write_text("line\n" * 10_000)
    assert branch_of(tmp_path) == ""

    (tmp_path / ".git" / "HEAD").unlink()
    (tmp_path / ".git").rmdir()
    (tmp_path / ".git").write_text("gitdir: a\0b\n")
    assert branch_of(tmp_path) == ""
