"""Commands from Markdown files, and what they wish of another agent."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent.commands.results import Prompt
from tests.agent.commands.desk import desk


@pytest.mark.parametrize(
    ("front", "said"),
    [
        ("agent: explore\nsubtask: true", "asks for agent explore as a subtask"),
        ("subtask: true", "asks for a subtask"),
        ("agent: plan", "asks for agent plan"),
        ("agent: build", ""),
        ("subtask: false\ndescription: look", ""),
    ],
)
async def test_a_command_that_wants_another_agent_says_that_it_does_not_get_it(
    tmp_path: Path, front: str, said: str
) -> None:
    async with desk(tmp_path) as typing:
        folder = typing.stage.opened.opening.paths.config_folder / "commands"
        folder.mkdir(parents=True)
        (folder / "look.md").write_text(f"---\n{front}\n---\nLook for $ARGUMENTS")
        typing.learn()

        result = await typing.type("/look bugs")

    assert isinstance(result, Prompt)
    assert result.text == "Look for bugs"
    assert said in result.note
    assert bool(said) == bool(result.note)
    assert not said or "so build does it here" in result.note
