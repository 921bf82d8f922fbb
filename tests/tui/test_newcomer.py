from pathlib import Path

from tui.newcomer import NAME, is_new, welcome


def test_who_was_welcomed_is_no_newcomer_any_more(tmp_path: Path):
    folder = tmp_path / "state" / "wakeful"
    assert is_new(folder)

    welcome(folder)

    assert not is_new(folder)
    assert (folder / NAME).stat().st_mode & 0o777 == 0o600


def test_a_folder_that_cannot_be_written_stops_nobody(tmp_path: Path):
    file = tmp_path / "file"
    file.touch()

    welcome(file / "below")

    assert is_new(file / "below")
