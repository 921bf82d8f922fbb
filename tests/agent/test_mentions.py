"""Files that a message mentions go with it, in every front end."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent.events import Notice
from agent.models.scripted import Scripted, said
from tests.agent.openings import Stage, stage

PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 20


def sent(scene: Stage) -> list[str]:
    """The blocks of the first message, pictures by their kind."""
    (message, *_) = [each for each in scene.model.requests[0].messages if each["role"] == "user"]
    content = message.get("content")
    blocks = [{"text": content}] if isinstance(content, str) else content or []
    return [str(block.get("text", block.get("type"))) for block in blocks]


def notices(scene: Stage) -> list[str]:
    return [event.text for event in scene.events if isinstance(event, Notice)]


def furnish(tmp_path: Path) -> None:
    project = tmp_path / "project"
    (project / "src").mkdir(parents=True)
    (project / "src" / "main.py").write_text("import sys\nsys.exit()\n")
    (project / "my notes.txt").write_text("remember")
    (project / "shot.png").write_bytes(PNG)
    (project / "blob.bin").write_bytes(b"\0\1\2")
    (project / ".env").write_text("KEY=1")
    (tmp_path / "outside.txt").write_text("private")
    (project / "link.txt").symlink_to(tmp_path / "outside.txt")


MAIN = "[src/main.py]\n1\timport sys\n2\tsys.exit()"
NOTES = "[my notes.txt]\n1\tremember"


@pytest.mark.parametrize(
    ("text", "attached"),
    [
        ("look at @src/main.py", [MAIN]),
        ("(@src/main.py), and again @src/main.py.", [MAIN]),
        ("what does @my notes.txt say?", [NOTES]),
        ('@"my notes.txt" or @my\\ notes.txt', [NOTES]),
        ("@src/main.py and @my notes.txt", [MAIN, NOTES]),
        ("see @shot.png", ["image_url"]),
        ("what is in @src?", ["[src/]\nmain.py"]),
        ("mail me@src/main.py and ask @nobody about @gone.py", []),
        ("@", []),
    ],
)
async def test_a_mentioned_file_is_attached_and_the_mention_stays(
    tmp_path: Path, text: str, attached: list[str]
) -> None:
    furnish(tmp_path)
    async with stage(tmp_path, Scripted([said("seen")]), model_name="openai/gpt-4o") as scene:
        await scene.ask(text)

    assert sent(scene) == [text, *attached]
    assert notices(scene) == []


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("@../outside.txt", "is outside the workspace"),
        ("@link.txt", "is outside the workspace"),
        ("@blob.bin", "is binary"),
        ("@.env", "may hold secrets"),
        ("@../home/wakeful.db", ""),
        ("@src/main.py", "denied by the rule"),
    ],
)
async def test_what_may_not_be_read_unasked_stays_out_and_is_named(
    tmp_path: Path, text: str, problem: str
) -> None:
    furnish(tmp_path)
    rules = ("permissions.rules=['deny read src/**']",)
    async with stage(tmp_path, Scripted([said("seen")]), assignments=rules) as scene:
        scene.opened.opening.paths.data_folder.mkdir(parents=True, exist_ok=True)
        await scene.ask(text)

    assert sent(scene) == [text]
    (said_of_it,) = notices(scene)
    assert said_of_it.startswith(f"{text} is not attached: ")
    assert problem in said_of_it


async def test_a_long_file_is_attached_in_part(tmp_path: Path) -> None:
    furnish(tmp_path)
    (tmp_path / "project" / "long.txt").write_text("line\n" * 3_000)
    async with stage(tmp_path, Scripted([said("seen")])) as scene:
        await scene.ask("@long.txt")

    (_, shown) = sent(scene)
    assert shown.endswith("2000\tline\n(lines 1-2000 of 3000; continue with offset=2001)")


async def test_output_of_a_command_mentions_nothing(tmp_path: Path) -> None:
    furnish(tmp_path)
    async with stage(tmp_path, Scripted([said("seen")])) as scene:
        await scene.opened.session.send("it printed @src/main.py", quoted=True)
        await scene.opened.session.run(until_idle=True)

    assert sent(scene) == ["it printed @src/main.py"]
