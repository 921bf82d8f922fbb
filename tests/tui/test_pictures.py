from pathlib import Path

import pytest

from agent.tools.read import IMAGE_BYTES
from tui.pictures import attachments, is_picture, named, resolved

PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 20


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("/tmp/a.png", "/tmp/a.png"),
        ("look at shots/a.PNG, please", "shots/a.PNG"),
        ("see @docs/a.webp.", "docs/a.webp"),
        ("'/tmp/two words.jpg' ", "/tmp/two words.jpg"),
        (r"/tmp/two\ words.jpeg", "/tmp/two words.jpeg"),
        ("file:///tmp/two%20words.gif", "/tmp/two words.gif"),
    ],
)
def test_a_path_is_found_however_a_terminal_writes_it(text: str, path: str):
    assert [each for _, each in named(text)] == [path]


@pytest.mark.parametrize("text", ["a.pngx", "png", ".png", "a.py", "a.png/b"])
def test_other_words_are_left_alone(text: str):
    assert named(text) == []


def test_a_picture_is_known_by_what_is_in_it(tmp_path: Path):
    (tmp_path / "true.png").write_bytes(PNG)
    (tmp_path / "false.png").write_text("not at all")

    assert is_picture(tmp_path / "true.png")
    assert not is_picture(tmp_path / "false.png")
    assert not is_picture(tmp_path / "missing.png")
    assert not is_picture(tmp_path)
    assert resolved("true.png", tmp_path) == tmp_path / "true.png"


def test_what_is_too_large_or_too_many_is_said(tmp_path: Path):
    paths = [tmp_path / f"{number}.png" for number in range(10)]
    for path in paths:
        path.write_bytes(PNG)
    paths[0].write_bytes(PNG + b"\0" * IMAGE_BYTES)

    found, problems = attachments([*paths, paths[1]])

    assert [each.name for each in found] == [f"{number}.png" for number in range(1, 9)]
    assert found[0].media_type == "image/png"
    assert "0.png is too large" in problems[0]
    assert "9.png is left out" in problems[1]
