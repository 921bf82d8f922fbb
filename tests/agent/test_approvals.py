"""What was shown to a person is what happens, whatever changed while they thought."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from agent.events import QuestionAsked, ToolFinished
from agent.models.scripted import Scripted, said
from tests.agent.openings import stage

EDIT = ("edit", {"path": "a.txt", "old": "two", "new": "2"})
WRITE = ("write", {"path": "new.txt", "content": "mine\n"})
PATCH = ("patch", {"diff": "--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n"})


@dataclass
class Scene:
    project: Path
    asked: list[QuestionAsked] = field(default_factory=list[QuestionAsked])
    finished: list[ToolFinished] = field(default_factory=list[ToolFinished])


def nothing() -> None:
    pass


@asynccontextmanager
async def called(
    tmp_path: Path,
    call: tuple[str, dict[str, Any]],
    *,
    meanwhile: Callable[[], object] = nothing,
    answer: str = "once",
) -> AsyncGenerator[Scene, None]:
    """One call of the model; `meanwhile` happens after the question was asked, before it is answered."""
    scene = Scene(tmp_path / "project")
    async with stage(tmp_path, Scripted([said("", call), said("done")]), attended=True) as here:

        async def approve() -> None:
            with here.opened.session.subscribe() as events:
                async for event in events:
                    if isinstance(event, QuestionAsked):
                        scene.asked.append(event)
                        meanwhile()
                        here.opened.session.answer(event, answer)

        approving = asyncio.ensure_future(approve())
        await asyncio.sleep(0)
        await here.ask("go")
        approving.cancel()
        scene.finished += [event for event in here.events if isinstance(event, ToolFinished)]
        yield scene


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "a.txt").write_text("one\ntwo\nthree\n")
    return folder


@pytest.mark.parametrize(
    "call",
    [
        ("edit", {"path": "a.txt", "old": "four", "new": "4"}),
        ("edit", {"path": "none.txt", "old": "two", "new": "2"}),
        ("write", {"path": "a.txt/below.txt", "content": "x"}),
        ("write", {"path": "a.txt", "content": "never read"}),
        ("patch", {"diff": "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-four\n+4\n"}),
    ],
)
async def test_a_change_that_cannot_be_made_fails_before_anybody_is_asked(
    tmp_path: Path, project: Path, call: tuple[str, dict[str, Any]]
):
    async with called(tmp_path, call) as scene:
        assert not scene.asked
        assert scene.finished[0].status == "failed"


@pytest.mark.parametrize("path", ["../outside.txt", ".env"])
async def test_a_file_that_may_not_be_read_unasked_tells_nothing_by_a_change_that_fails(
    tmp_path: Path, project: Path, path: str
):
    (project / path).write_text("secret=hunter2\n")

    async with called(
        tmp_path, ("edit", {"path": path, "old": "secret=x", "new": "y"}), answer="no"
    ) as scene:
        assert scene.asked
        assert "hunter" not in scene.finished[0].output
        assert "found" not in scene.finished[0].output


@pytest.mark.parametrize(
    ("call", "name"), [(EDIT, "a.txt"), (WRITE, "new.txt"), (PATCH, "a.txt")], ids=["edit", "write", "patch"]
)
async def test_a_file_that_changed_after_it_was_asked_about_is_left_alone(
    tmp_path: Path, project: Path, call: tuple[str, dict[str, Any]], name: str
):
    theirs = "zero\none\ntwo\nthree\n"

    async with called(tmp_path, call, meanwhile=lambda: (project / name).write_text(theirs)) as scene:
        assert scene.finished[0].status == "failed"
        assert (project / name).read_text() == theirs


@pytest.mark.parametrize(
    "call",
    [
        ("read", {"path": "../place/note.txt"}),
        ("edit", {"path": "../place/note.txt", "old": "plain", "new": "x"}),
        ("write", {"path": "../place/other.txt", "content": "x"}),
        ("grep", {"pattern": "plain", "path": "../place"}),
        ("patch", {"diff": "--- a/../place/note.txt\n+++ b/../place/note.txt\n@@ -1 +1 @@\n-plain\n+x\n"}),
        ("read", {"path": "inner/note.txt"}),
    ],
    ids=lambda call: f"{call[0]}-{call[1].get('path', '')}",
)
async def test_a_link_swapped_while_the_question_stood_leads_nowhere(
    tmp_path: Path, project: Path, call: tuple[str, dict[str, Any]]
):
    good, bad = tmp_path / "good", tmp_path / "bad"
    for folder, text in ((good, "plain\n"), (bad, "plain hidden\n")):
        folder.mkdir()
        (folder / "note.txt").write_text(text)
    links = (tmp_path / "place", project / "inner")
    for link in links:
        link.symlink_to(good)

    def swap() -> None:
        for link in links:
            link.unlink()
            link.symlink_to(bad)

    async with called(tmp_path, call, meanwhile=swap) as scene:
        assert scene.asked
        assert scene.finished[0].status == "failed"
        assert "hidden" not in scene.finished[0].output
        assert sorted(path.name for path in bad.iterdir()) == ["note.txt"]
        assert (bad / "note.txt").read_text() == "plain hidden\n"


async def test_a_folder_replaced_by_a_link_while_the_question_stood_leads_nowhere(
    tmp_path: Path, project: Path
):
    place, bad = tmp_path / "place", tmp_path / "bad"
    for folder in (place, bad):
        folder.mkdir()
        (folder / "note.txt").write_text(f"of {folder.name}\n")

    def swap() -> None:
        place.rename(tmp_path / "moved")
        place.symlink_to(bad)

    async with called(tmp_path, ("read", {"path": "../place/note.txt"}), meanwhile=swap) as scene:
        assert scene.finished[0].status == "failed"
        assert "of bad" not in scene.finished[0].output


async def test_a_patch_of_two_files_is_shown_whole_and_applied_by_one_answer(tmp_path: Path, project: Path):
    (project / "b.txt").write_text("four\n")
    diff = f"{PATCH[1]['diff']}--- a/b.txt\n+++ b/b.txt\n@@ -1 +1 @@\n-four\n+4\n"

    async with called(tmp_path, ("patch", {"diff": diff})) as scene:
        (asked,) = scene.asked
        assert (asked.prompt, asked.detail) == ("edit 2 files", "")
        assert "+++ b/a.txt" in asked.diff
        assert "+++ b/b.txt" in asked.diff
        assert (project / "a.txt").read_text() == "one\n2\nthree\n"
        assert (project / "b.txt").read_text() == "4\n"
