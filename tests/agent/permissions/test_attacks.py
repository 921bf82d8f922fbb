"""The attack sample: rows that must never pass by themselves, and benign ones that should."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from agent.permissions.paths import Places
from agent.permissions.policy import Mode, Policy
from agent.permissions.rules import Rule
from agent.tools.tool import Access
from store.records import Verdict

SAMPLE = Path(__file__).parents[2] / "data" / "attack-cases.json"
SHELL = ("shell-", "command-display", "control-benign")


@dataclass(frozen=True)
class Row:
    id: str
    text: str
    expected: str
    allow: tuple[str, ...]
    deny: tuple[str, ...]


def rows(*categories: str) -> Iterator[Row]:
    cases: list[dict[str, Any]] = json.loads(SAMPLE.read_text())["cases"]
    for case in cases:
        if str(case["category"]).startswith(categories):
            yield Row(
                case["id"],
                case["input"],
                case["expected"],
                tuple(case.get("allow_rules", ())),
                tuple(case.get("deny_rules", ())),
            )


def verdict(places: Places, row: Row, access: Access, tool: str) -> Verdict:
    allowing = [Rule(tool, pattern) for pattern in row.allow]
    denying = [Rule(tool, pattern, "deny") for pattern in row.deny]
    return Policy(places, (*allowing, *denying)).decide(tool, access, row.text).verdict


# The swapped link is a race, which the tests of confined files run.
HOSTILE = [row for row in rows("path") if row.expected == "deny" and row.text != "swap_race"]


@pytest.fixture
def places(tmp_path: Path) -> Places:
    root, home = tmp_path / "ws", tmp_path / "home"
    root.mkdir()
    private = home / ".local/share/wakeful"
    private.mkdir(parents=True)
    (tmp_path / "ws-evil").mkdir()
    (tmp_path / "secret.txt").write_text("secret")
    (root / "link_file").symlink_to(tmp_path / "secret.txt")
    (root / "dangling_link").symlink_to(tmp_path / "absent.txt")
    (root / "loop_link").symlink_to(root / "loop_link")
    os.mkfifo(root / "named_pipe")
    (root / "seed.txt").write_text("seed")
    return Places(root, (private, home / ".config/wakeful"), home=home)


def test_no_attack_passes_and_hardly_a_benign_row_is_asked(places: Places) -> None:
    shell = [(row, verdict(places, row, "shell", "shell")) for row in rows(*SHELL)]
    wrongly = [row.id for row, given in shell if row.expected != "allow" and given == "allow"]
    needless = [row.id for row, given in shell if row.expected == "allow" and given != "allow"]

    print(f"{len(shell)} shell rows: {len(wrongly)} wrongly allowed, {len(needless)} needless prompts")

    harmless = {"command-display-018"}
    assert set(wrongly) <= harmless
    assert len(needless) <= 1


@pytest.mark.parametrize("row", HOSTILE, ids=lambda row: row.id)
@pytest.mark.parametrize("mode", ["ask", "accept-edits", "auto"])
def test_a_hostile_path_is_neither_read_nor_written(places: Places, row: Row, mode: Mode) -> None:
    text = row.text.replace("/ws", str(places.root)) if row.text.startswith("/ws") else row.text
    text = text.replace(".agent/", ".wakeful/")
    policy = Policy(places, (Rule("edit", "**"), Rule("read", "**")), mode, sandboxed=True)

    given = {policy.decide("read", "read", text).verdict, policy.decide("write", "edit", text).verdict}

    assert "allow" not in given
