from pathlib import Path

from tui.files import Files, mention, ranked, uses


def test_a_mention_is_the_last_word_that_begins_with_the_sign():
    assert mention("look at @src/ma") == "src/ma"
    assert mention("@") == ""
    assert mention("mail me@home") is None
    assert mention("@done and more") is None


async def test_ignored_files_and_unprintable_names_are_not_offered(tmp_path: Path):
    (tmp_path / ".gitignore").write_text("*.log\n")
    for name in ("main.py", "noise.log", "evil\x1b]0;x\x07.py"):
        (tmp_path / name).touch()

    assert await Files(tmp_path).matching("") == ["main.py", ".gitignore"]


def test_the_nearest_name_comes_first():
    paths = ["src/remain.py", "docs/maintenance/a.md", "src/main.py", "m/x/a/i/n.txt", "other"]

    assert ranked("main", paths) == ["src/main.py", "src/remain.py", "docs/maintenance/a.md", "m/x/a/i/n.txt"]


def test_what_is_mentioned_often_and_lately_comes_first():
    used = uses(["@old.py and @src/main.py", "see @src/main.py", "fix @tests/main.py"])

    assert used["src/main.py"] > used["tests/main.py"] > used["old.py"]
    assert ranked("main", ["main.py", "src/main.py"], used) == ["src/main.py", "main.py"]


def test_a_name_with_blanks_counts_as_a_whole():
    paths = ["my notes.md", "my notes on all.md", "my"]

    used = uses(["see @my notes on all.md, then @my own"], paths)

    assert used == {"my notes on all.md": 1.0, "my": 1.0}


async def test_a_project_is_walked_once_for_a_word_typed_letter_by_letter(tmp_path: Path):
    (tmp_path / "main.py").touch()
    files = Files(tmp_path)
    await files.matching("")
    (tmp_path / "mail.py").touch()

    assert await files.matching("ma") == ["main.py"]
