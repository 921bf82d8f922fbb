from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from agent.permissions.paths import Places
from agent.permissions.sandbox import Sandbox, confine, find_sandbox, without_keys

REAL = find_sandbox()


def test_without_bubblewrap_the_statement_says_so(tmp_path: Path) -> None:
    found = find_sandbox(str(tmp_path))

    assert not found.present
    assert "not installed" in found.statement
    assert "unconfined" in found.statement


def test_a_bubblewrap_that_fails_counts_as_none(tmp_path: Path) -> None:
    broken = tmp_path / "bwrap"
    broken.write_text("#!/bin/sh\necho no permission >&2\nexit 1\n")
    broken.chmod(0o755)

    found = find_sandbox(str(tmp_path))

    assert not found.present
    assert "no permission" in found.statement


def test_without_a_sandbox_a_command_stays_as_it_is(places: Places) -> None:
    assert confine(Sandbox(None, ""), places, ["ls"]) == ["ls"]


def test_the_workspace_is_bound_after_the_private_tmp(places: Places) -> None:
    arguments = confine(Sandbox("bwrap", ""), places, ["ls", "-l"])

    root = str(places.root)
    assert arguments[-3:] == ["--", "ls", "-l"]
    assert arguments.index("/tmp") < arguments.index(root)
    assert {"--unshare-net", "--die-with-parent", "--new-session"} <= set(arguments)
    assert [arguments[at + 1] for at, word in enumerate(arguments) if word == "--tmpfs"][1:] == [
        str(place) for place in places.private
    ]


def test_network_is_shared_only_when_allowed(places: Places) -> None:
    assert "--unshare-net" not in confine(Sandbox("bwrap", ""), places, ["ls"], network=True)


@pytest.mark.skipif(not REAL.present, reason=REAL.statement)
@pytest.mark.parametrize(
    ("script", "succeeds"),
    [
        ("touch inside && test -e inside", True),
        ("touch ../outside", False),
        ("cat {home}/.config/wakeful/keys.toml", False),
        ("touch .git/hooks/x", False),
        ("touch /tmp/private", True),
        ("cat /etc/passwd > /dev/null", True),
    ],
)
def test_a_confined_command_changes_the_workspace_alone(places: Places, script: str, succeeds: bool) -> None:
    (places.root / ".git" / "hooks").mkdir(parents=True)
    command = ["sh", "-c", script.format(home=places.home)]

    done = subprocess.run(confine(REAL, places, command), check=False, capture_output=True)

    assert (done.returncode == 0) is succeeds, done.stderr


def test_tools_get_neither_keys_nor_what_changes_bash() -> None:
    given = {
        "HOME": "/h", "OPENAI_API_KEY": "k", "MY_KEY": "k", "BASH_ENV": "x", "BASH_FUNC_ls%%": "x",
        "CDPATH": "x",
        "LD_PRELOAD": "x", "GIT_EXTERNAL_DIFF": "x", "PATH": ".:/bin::bin:/usr/bin",
    }  # fmt: skip

    assert without_keys(given, ["MY_KEY"]) == {"HOME": "/h", "PATH": "/bin:/usr/bin"}


def test_places_may_be_narrowed_for_one_command(places: Places) -> None:
    narrow = replace(places, root=places.root / "src")

    assert confine(Sandbox("bwrap", ""), narrow, ["ls"])[-3] == str(places.root / "src")
