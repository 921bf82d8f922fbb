from __future__ import annotations

import logging
import stat
from pathlib import Path

import pytest

from agent.logfile import KEPT, MAX_BYTES
from agent.logs import open_log


def test_the_log_rotates_and_every_piece_is_private(tmp_path: Path) -> None:
    path = tmp_path / "state" / "wakeful.log"

    with open_log(path, dict) as log:
        for _ in range((KEPT + 2) * 11):
            log.info("x" * (MAX_BYTES // 10))

    pieces = sorted(path.parent.iterdir())
    assert len(pieces) == KEPT + 1
    assert {stat.S_IMODE(piece.stat().st_mode) for piece in pieces} == {0o600}
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_a_log_that_is_a_link_to_elsewhere_is_not_followed(tmp_path: Path) -> None:
    target = tmp_path / "precious"
    target.write_text("mine")
    (tmp_path / "wakeful.log").symlink_to(target)

    with open_log(tmp_path / "wakeful.log", dict) as log:
        log.error("hello")

    assert target.read_text() == "mine"


def test_what_a_module_reports_goes_to_the_log_and_not_to_the_screen(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with open_log(tmp_path / "wakeful.log", lambda: {"SOME_KEY": "canary-123456"}):
        logging.getLogger("agent.calls").error("broke on canary-123456")

    assert "broke on [redacted]" in (tmp_path / "wakeful.log").read_text()
    assert capfd.readouterr() == ("", "")


def test_a_log_with_nothing_to_say_leaves_no_file(tmp_path: Path) -> None:
    with open_log(tmp_path / "state" / "wakeful.log", dict):
        pass

    assert list(tmp_path.iterdir()) == []
