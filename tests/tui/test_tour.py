import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tui.wakeful import environment, wakeful

ROOT = Path(__file__).parents[2]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "README.md").write_text("# Thing\n\nDoes a thing.\n")
    (folder / "main.py").write_text("print('hi')\n")
    return folder


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
def test_make_run_shows_the_plan_move_where_there_is_no_terminal(project: Path, tmp_path: Path):
    # As after `make setup`; the folder it runs in is another one, which is surveyed faster than this.
    tools = f"BIN={Path(sys.executable).parent}"
    make = ["make", "--no-print-directory", "-f", str(ROOT / "Makefile"), "-o", ".venv/ready", tools, "run"]
    (project / ".venv").mkdir()
    (project / ".venv" / "ready").touch()

    done = subprocess.run(
        make,
        env=environment(tmp_path / "home"),
        cwd=project,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, "")
    assert "plan 0/5" in done.stdout
    assert "plan 5/5" in done.stdout


def test_the_tour_shows_the_plan_move_without_a_key_or_a_terminal(project: Path, tmp_path: Path):
    done = wakeful(tmp_path / "home", "tour", "-C", str(project), cwd=tmp_path)

    assert (done.returncode, done.stderr) == (0, "")
    assert "plan 0/5" in done.stdout
    assert "▶ #1" in done.stdout
    assert "plan 5/5" in done.stdout
    assert "Does a thing." in done.stdout
