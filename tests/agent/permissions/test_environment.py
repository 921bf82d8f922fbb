import os
import shutil
import subprocess
from pathlib import Path

import pytest

from agent.executables import find_program
from agent.permissions.environment import FOR_LOOKING, for_commands, for_line
from tests.repositories import run_git, seed_repository


def test_commands_get_neither_secrets_nor_what_changes_their_meaning() -> None:
    changing = ("BASH_ENV", "ENV", "CDPATH", "GLOBIGNORE", "SHELLOPTS", "BASH_FUNC_ls%%")
    changing += ("POSIXLY_CORRECT", "_POSIX2_VERSION", "GREP_OPTIONS", "RIPGREP_CONFIG_PATH", "MAGIC")
    steering = ("GIT_CONFIG_COUNT", "GIT_DIR", "GIT_EXTERNAL_DIFF")
    given = {
        "HOME": "/h",
        "LD_LIBRARY_PATH": "/cuda",
        "MY_KEY": "k",
        **dict.fromkeys((*changing, *steering), "x"),
    }

    seen = for_commands(given | {"PATH": ".:/bin::bin:/usr/bin"}, {"MY_KEY"})

    assert seen == {"HOME": "/h", "LD_LIBRARY_PATH": "/cuda", "PATH": "/bin:/usr/bin"}


def test_a_path_of_relative_entries_alone_does_not_become_an_empty_one() -> None:
    assert for_commands({"PATH": ".:"}, ()) == {"PATH": os.defpath}


@pytest.mark.parametrize(
    ("command", "quiet"),
    [
        ("git status", True), ("git log -p | head -n 5", True), ("cat x", True), ("git commit -m x", False),
        ("git status && make", False), ("git log --output=x", False), ("git stash", False), ("", False),
    ],
)  # fmt: skip
def test_only_a_line_that_just_looks_gets_its_own_environment(
    tmp_path: Path, command: str, quiet: bool
) -> None:
    seen = for_line(command, root=tmp_path, path=f"{tmp_path}/.venv/bin:bin:/usr/bin:/bin")

    assert seen == ({**FOR_LOOKING, "PATH": "/usr/bin:/bin"} if quiet else {})


def test_a_program_that_just_looks_starts_none_of_the_workspace(tmp_path: Path) -> None:
    bin_folder = tmp_path / "ws" / ".venv" / "bin"
    bin_folder.mkdir(parents=True)
    (bin_folder / "grep").write_text(f"#!/bin/sh\ntouch '{tmp_path}/marker'\n")
    (bin_folder / "grep").chmod(0o755)
    path = f"{bin_folder}:{os.environ['PATH']}"
    plain = {"PATH": path, "HOME": str(tmp_path)}
    # Some systems have egrep as a script that looks for grep.
    line = "egrep root /etc/passwd"

    subprocess.run(
        ["/bin/sh", "-c", line], env={**plain, **for_line(line, root=tmp_path / "ws", path=path)}, check=False
    )

    assert not (tmp_path / "marker").exists()


@pytest.mark.skipif(find_program("git") is None, reason="git is not installed")
@pytest.mark.parametrize(
    "setting", ["core.fsmonitor", "core.hooksPath", "log.showSignature", "diff.submodule"]
)
def test_git_starts_nothing_although_a_setting_came_after_the_judgement(tmp_path: Path, setting: str) -> None:
    root = seed_repository(tmp_path / "ws")
    hooks = root / "hooks"
    hooks.mkdir()
    for script in (root / "evil.sh", hooks / "post-index-change"):
        script.write_text(f"#!/bin/sh\ntouch '{tmp_path}/marker'\n")
        script.chmod(0o755)
    value = {"core.fsmonitor": "./evil.sh", "core.hooksPath": "hooks", "log.showSignature": "true"}
    run_git(root, "config", setting, value.get(setting, "diff"))
    run_git(root, "config", "gpg.program", "./evil.sh")
    signed = run_git(root, "cat-file", "commit", "HEAD").replace(
        "\n\n", "\ngpgsig -----BEGIN PGP SIGNATURE-----\n\n", 1
    )
    run_git(
        root,
        "update-ref",
        "refs/heads/signed",
        run_git(root, "hash-object", "-t", "commit", "-w", "--stdin", text=signed),
    )
    shutil.copytree(seed_repository(tmp_path / "other"), root / "sub")
    (root / "clean.txt").write_text("clean\n")
    run_git(root, "-c", "core.hooksPath=", "-c", "core.fsmonitor=", "add", "sub", "clean.txt")
    run_git(root, "-c", "core.hooksPath=", "-c", "core.fsmonitor=", "commit", "-qm", "sub")
    run_git(root / "sub", "config", "diff.external", "../evil.sh")
    (tmp_path / "marker").unlink(missing_ok=True)
    line = "git status --ignore-submodules; git log -p signed; git log -p"
    plain = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(tmp_path)}

    subprocess.run(
        ["/bin/sh", "-c", line],
        cwd=root,
        env={**plain, **for_line(line, root=root, path=plain["PATH"])},
        capture_output=True,
        check=True,
    )

    assert not (tmp_path / "marker").exists()
    # An unchanged file with another time makes git write its index anew.
    os.utime(root / "clean.txt", (1, 1))
    subprocess.run(["/bin/sh", "-c", line], cwd=root, env=plain, capture_output=True, check=True)
    assert (tmp_path / "marker").exists()
