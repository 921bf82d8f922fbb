from pathlib import Path

from agent.commands.registry import Completion
from tui.files import Files, changed, mention, ranked, uses
from tui.offering import Offering


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


def test_a_match_in_the_name_beats_one_in_the_folder():
    paths = ["slugify/py.typed", "slugify/cli.py", "slugify/slugify.py", "tests/test_slugify.py"]

    found = ranked("slug", paths)

    assert found[:2] == ["slugify/slugify.py", "tests/test_slugify.py"]
    assert ranked("sl", paths)[0] == "slugify/slugify.py"


def test_a_folder_stands_behind_files_of_its_name_and_opens_with_its_slash():
    paths = ["slugify/", "slugify/py.typed", "slugify/slugify.py"]

    assert ranked("slug", paths) == ["slugify/slugify.py", "slugify/", "slugify/py.typed"]
    assert ranked("slugify/", paths)[0] == "slugify/"
    assert ranked("slugify/p", paths)[0] == "slugify/py.typed"


def test_the_files_changed_last_come_before_the_others_of_their_rank():
    paths = ["a_long_way/main.py", "src/main.py", "main.py"]

    assert ranked("main", paths, {"main.py": 0.5}, {"a_long_way/main.py": 2.0}) == [
        "main.py",
        "a_long_way/main.py",
        "src/main.py",
    ]


def test_what_one_checkout_wrote_at_once_is_not_changed():
    dates = {"a.py": 1000.0, "b.py": 1001.0, "c.py": 1002.0, "d.py": 9000.0}

    assert changed(dates) == {"d.py": 9000.0}
    assert changed({}) == {}


async def test_folders_of_the_project_are_offered(tmp_path: Path):
    (tmp_path / "src" / "deep").mkdir(parents=True)
    (tmp_path / "src" / "deep" / "one.py").touch()

    assert await Files(tmp_path).matching("") == ["src/deep/one.py", "src/", "src/deep/"]


async def test_a_project_is_walked_once_for_a_word_typed_letter_by_letter(tmp_path: Path):
    (tmp_path / "main.py").touch()
    files = Files(tmp_path)
    await files.matching("")
    (tmp_path / "mail.py").touch()

    assert await files.matching("ma") == ["main.py"]


async def test_a_folder_is_offered_with_its_slash_and_the_folder_it_is_in(tmp_path: Path):
    (tmp_path / "src" / "deep").mkdir(parents=True)
    (tmp_path / "src" / "deep" / "one.py").touch()

    async def none(typed: str) -> list[Completion]:
        return []

    found = await Offering(Files(tmp_path), none).at("see @dee")

    assert found[0] == Completion("src/deep/", "deep/", "src", 5)
