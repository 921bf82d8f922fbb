import os
import stat
from pathlib import Path

from tui.prompting.drafts import NAME, Draft, keep, recall

LEFT = Draft("half a sentence", {"[pasted 9 lines]": "a\nb"})


def test_each_project_has_its_own(tmp_path: Path):
    keep(tmp_path, Path("/a"), LEFT, leaving=True)

    assert recall(tmp_path, Path("/a")) == LEFT
    assert recall(tmp_path, Path("/b")) == Draft()


def test_only_its_owner_may_read_it(tmp_path: Path):
    keep(tmp_path / "state", Path("/a"), LEFT)

    (file,) = (tmp_path / "state" / NAME).iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_what_stands_in_a_window_that_is_open_stays_there(tmp_path: Path):
    keep(tmp_path, Path("/a"), LEFT)
    (file,) = (tmp_path / NAME).iterdir()
    file.write_text(file.read_text().replace(f'"owner": {os.getpid()}', f'"owner": {os.getppid()}'))

    assert recall(tmp_path, Path("/a")) == Draft()


def test_an_empty_one_leaves_no_file(tmp_path: Path):
    keep(tmp_path, Path("/a"), LEFT)
    keep(tmp_path, Path("/a"), Draft(" \n"))

    assert list((tmp_path / NAME).iterdir()) == []


def test_a_damaged_one_is_nothing(tmp_path: Path):
    keep(tmp_path, Path("/a"), LEFT, leaving=True)
    (file,) = (tmp_path / NAME).iterdir()
    for text in ("", "[]", '{"text": 3}', '{"text": "x", "pastes": {"a": 1}, "owner": "me"}'):
        file.write_text(text)

        assert recall(tmp_path, Path("/a")).pastes == {}
