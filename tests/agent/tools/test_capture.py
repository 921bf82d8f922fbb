from __future__ import annotations

from pathlib import Path

from agent.tools.capture import Capture, plain


def test_a_short_output_is_whole_and_makes_no_file(tmp_path: Path) -> None:
    capture = Capture(tmp_path / "log", head=4, tail=4)

    capture.feed(b"abcd")
    capture.feed(b"efgh")

    assert capture.text() == "abcdefgh"
    assert capture.log is None
    assert not (tmp_path / "log").exists()


def test_a_long_output_keeps_both_ends_and_says_where_the_rest_is(tmp_path: Path) -> None:
    capture = Capture(tmp_path / "log", head=4, tail=4)

    for piece in (b"abc", b"defghi", b"jk"):
        capture.feed(piece)
    capture.close()

    assert capture.text() == f"abcd\n[... 3 bytes left out; all of it is in {tmp_path / 'log'} ...]\nhijk"
    assert (tmp_path / "log").read_bytes() == b"abcdefghijk"


def test_the_file_stops_at_its_limit(tmp_path: Path) -> None:
    capture = Capture(tmp_path / "log", head=2, tail=2, log_limit=6)

    for _ in range(5):
        capture.feed(b"0123")
    capture.close()

    assert (tmp_path / "log").read_bytes() == b"012301"
    assert capture.size == 20


def test_a_log_that_cannot_be_written_loses_only_the_middle(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    capture = Capture(tmp_path / "file" / "log", head=2, tail=2)

    capture.feed(b"0123456789")

    assert capture.text().startswith("01\n[... 6 bytes left out; they could not be kept: ")
    assert capture.text().endswith("\n89")


def test_progress_bars_colours_and_controls_read_as_on_a_terminal() -> None:
    assert (
        plain(b"10%\r50%\r100%\r\n\x1b[31mred\x1b[0m\x1b]0;title\x07\x00\xff\n") == "100%\nred\ufffd\ufffd\n"
    )


def test_a_long_line_is_cut_in_its_middle() -> None:
    assert plain(b"a" * 5000) == "a" * 1000 + " [... 3000 characters ...] " + "a" * 1000
