"""Hostile repositories at random, run with git itself, and ordinary ones that need no answer."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from agent.executables import find_program
from agent.permissions.paths import Places
from agent.permissions.policy import Policy
from tests.git_attacks import CALLS, Attack, make_stage
from tests.git_attacks import run as run_attack
from tests.reliability.git_calls import run
from tests.repositories import ORDINARY, run_git

pytestmark = pytest.mark.skipif(find_program("git") is None, reason="git is not installed")


def test_no_call_that_passes_in_a_hostile_repository_does_harm() -> None:
    print(run(0.015, secrets.randbelow(2**32)))


def test_the_oracle_sees_harm_when_it_is_done(tmp_path: Path) -> None:
    stage = make_stage(tmp_path / "stage")
    root = tmp_path / "ws"
    shutil.copytree(stage.template("plain"), root)
    lines = (
        "git status",
        f"cat {stage.outside}/secret.txt",
        "git -c core.fsmonitor= diff --output=WRITTEN",
        "git log -1",
    )
    run_git(root, "config", "core.fsmonitor", str(stage.program))

    harms = [run_attack(Attack(tmp_path, root, (), line, ""), stage).harm for line in lines]

    assert harms == ["ran a program", "printed a secret", "changed a file", ""]


@pytest.mark.parametrize("make", ORDINARY, ids=lambda make: make.__name__)
def test_ordinary_calls_in_ordinary_repositories_need_no_answer(
    tmp_path: Path, make: Callable[[Path], Path]
) -> None:
    root = make(tmp_path)
    policy = Policy(Places(root, (tmp_path / "home" / ".config" / "wakeful",), home=tmp_path / "home"))

    asked = {
        line: decided.reason
        for line in CALLS
        if (decided := policy.decide("shell", "shell", line)).verdict != "allow"
    }

    print(f"{len(asked)} of {len(CALLS)} calls asked")
    assert not asked
