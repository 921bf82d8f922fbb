from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from agent.permissions.paths import Places
from agent.permissions.sandbox import Sandbox, confine, find_sandbox

REAL = find_sandbox()


def test_without_bubblewrap_the_statement_says_so(tmp_path: Path) -> None:
    found = find_sandbox(path=str(tmp_path))

    assert not found.present
    assert "not installed" in found.statement
    assert "unconfined" in found.statement


def test_a_bubblewrap_that_fails_counts_as_none(tmp_path: Path) -> None:
    broken = tmp_path / "bwrap"
    broken.write_text("#!/bin/sh\necho no permission >&2\nexit 1\n")
    broken.chmod(0o755)

    found = find_sandbox(path=str(tmp_path))

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


def confined(places: Places, script: str) -> int:
    return subprocess.run(
        confine(REAL, places, ["sh", "-c", script]), check=False, stderr=subprocess.DEVNULL
    ).returncode


needs_bubblewrap = pytest.mark.skipif(not REAL.present, reason=REAL.statement)


@needs_bubblewrap
def test_a_confined_command_changes_the_workspace_alone(places: Places, tmp_path: Path) -> None:
    confined(
        places, f"touch inside; touch ../outside {tmp_path}/outside /tmp/wakeful-outside /etc/wakeful-outside"
    )

    assert (places.root / "inside").exists()
    assert not (tmp_path / "outside").exists()
    assert not Path("/tmp/wakeful-outside").exists()
    assert not Path("/etc/wakeful-outside").exists()


@needs_bubblewrap
@pytest.mark.parametrize("path", [".git/hooks/x", ".git/config", ".wakeful/config.toml"])
def test_a_confined_command_leaves_what_is_obeyed_outside_as_it_is(places: Places, path: str) -> None:
    (places.root / ".git" / "hooks").mkdir(parents=True)
    (places.root / ".git" / "config").touch()
    (places.root / ".wakeful").mkdir()

    assert confined(places, f"echo x > {path}") != 0
    assert confined(places, "echo x > .git/HEAD") == 0


@needs_bubblewrap
def test_our_own_folder_looks_empty_from_within(places: Places) -> None:
    mine = places.root / "mine"
    mine.mkdir()
    (mine / "keys.toml").write_text("key")

    assert confined(places, "test -e mine/keys.toml") == 0
    assert confined(replace(places, private=(mine,)), "test -e mine/keys.toml") != 0


@needs_bubblewrap
def test_the_network_is_gone_unless_allowed(places: Places) -> None:
    script = "test $(wc -l < /proc/net/dev) -gt 3"

    assert confined(places, script) != 0


def test_places_may_be_narrowed_for_one_command(places: Places) -> None:
    narrow = replace(places, root=places.root / "src")

    assert confine(Sandbox("bwrap", ""), narrow, ["ls"])[-3] == str(places.root / "src")
