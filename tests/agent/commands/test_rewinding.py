from pathlib import Path

import pytest

from agent.commands.errors import CommandError
from agent.commands.results import Diff, Draft, Picker, Text
from agent.models.scripted import Scripted, said
from tests.agent.commands.desk import Desk, desk


def model() -> Scripted:
    return Scripted(
        [
            said("", ("write", {"path": "a.txt", "content": "one\ntwo\n"})),
            said("ok"),
            said(
                "",
                ("edit", {"path": "a.txt", "old": "two", "new": "2"}),
                ("shell", {"command": "chmod 755 a.txt"}),
            ),
            said("ok"),
        ]
    )


async def worked(typing: Desk) -> None:
    await typing.stage.ask("make a file")
    await typing.stage.ask("change   it\nwith care")


async def test_nothing_said_is_nothing_to_go_back_to(tmp_path: Path):
    async with desk(tmp_path) as typing:
        assert await typing.read("/rewind") == "there is nothing to go back to"
        assert await typing.read("/diff") == "the session changed nothing"
        with pytest.raises(CommandError, match="no message 3 to go back to; nothing is left"):
            await typing.type("/rewind 3")
        with pytest.raises(CommandError, match="no rewind to take back; /rewind goes back"):
            await typing.type("/rewind undo")


async def test_a_message_is_picked_then_what_goes_back_and_its_text_can_be_sent_anew(tmp_path: Path):
    async with desk(tmp_path, model(), auto=True) as typing:
        await worked(typing)

        messages = await typing.type("/rewind")
        assert isinstance(messages, Picker)
        assert [(each.line, each.label) for each in messages.options] == [
            ("/rewind 2", "2  change it with care"),
            ("/rewind 1", "1  make a file"),
        ]
        assert "1 file, " in messages.options[0].detail
        assert await typing.offered("/rewind care") == ["2"]

        choices = await typing.type(messages.options[0].line)
        assert isinstance(choices, Picker)
        assert [each.line for each in choices.options] == [
            "/rewind 2 both",
            "/rewind 2 conversation",
            "/rewind 2 files",
        ]
        assert choices.options[2].detail == "1 file put back"
        assert "(1 command ran since: what they did outside the project" in choices.title

        gone = await typing.type("/rewind 2 both")
        assert isinstance(gone, Draft)
        assert gone.text == "change   it\nwith care"
        assert "1 file put back: a.txt" in gone.note
        assert (tmp_path / "project" / "a.txt").read_text() == "one\ntwo\n"
        assert "3 messages brought back" in await typing.read("/rewind undo")
        assert "3 messages set aside" in await typing.read("/rewind redo")
        await typing.type("/rewind 1 conversation")
        assert await typing.read("/rewind") == (
            "there is nothing to go back to; /rewind undo takes the last rewind back"
        )


async def test_files_that_stay_are_named_before_and_after(tmp_path: Path):
    async with desk(tmp_path, model(), auto=True) as typing:
        await worked(typing)
        (tmp_path / "project" / "a.txt").write_text("mine now\n")

        choices = await typing.read("/rewind 1")
        gone = await typing.type("/rewind 1 files")

    assert "0 files put back; left as they are: a.txt" in choices
    assert isinstance(gone, Text)
    assert "left as it is: a.txt (changed by someone else since)" in gone.text


async def test_the_diff_is_of_all_of_one_message_or_of_a_path(tmp_path: Path):
    async with desk(tmp_path, model(), auto=True) as typing:
        await worked(typing)

        whole = await typing.type("/diff")
        since = await typing.read("/diff 2")
        assert await typing.read("/diff a.txt") == await typing.read("/diff")
        assert await typing.read("/diff other") == "the session changed nothing in other"
        (tmp_path / "project" / "a.txt").write_text("mine\n")
        also = await typing.type("/diff")

    assert isinstance(whole, Diff)
    assert whole.note == "1 file changed"
    assert whole.text == (
        "diff --git a/a.txt b/a.txt\nnew file mode 100755\n"
        "--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1,2 @@\n+one\n+2\n"
    )
    assert since.startswith("diff --git a/a.txt b/a.txt\nold mode 100644\nnew mode 100755\n--- a/a.txt\n")
    assert "-two\n+2" in since
    assert isinstance(also, Diff)
    assert also.note == "1 file changed; changed by someone else too: a.txt"


async def test_a_bad_form_says_how_it_is_written(tmp_path: Path):
    async with desk(tmp_path, model(), auto=True) as typing:
        await worked(typing)
        with pytest.raises(CommandError, match=r"'all' is not both, conversation or files; write /rewind"):
            await typing.type("/rewind 1 all")
