from __future__ import annotations

from pathlib import Path

from agent.config.save import forget, save
from agent.paths import Paths

KEY = ("wake", "countdown")


def test_a_value_is_written_as_one_says_it_and_can_be_forgotten(tmp_path: Path) -> None:
    paths = Paths.from_environment({"WAKEFUL_HOME": str(tmp_path)})
    paths.config.write_text("# mine\n[wake]\nmax_cycles = 4\n")

    save(paths, {}, KEY, "3")
    written = paths.config.read_text()
    forgotten = forget(paths, {}, KEY)

    assert written == "# mine\n[wake]\nmax_cycles = 4\ncountdown = 3\n"
    assert forgotten
    assert paths.config.read_text() == "# mine\n[wake]\nmax_cycles = 4\n"


def test_what_is_not_in_the_file_leaves_it_alone(tmp_path: Path) -> None:
    paths = Paths.from_environment({"WAKEFUL_HOME": str(tmp_path)})

    assert not forget(paths, {}, KEY)
    assert not paths.config.exists()
