from pathlib import Path

import pytest

from agent.commands.builtin import COMMANDS
from agent.commands.reference import write
from agent.commands.registry import Command
from tests.agent.commands.desk import desk

PAGE = Path(__file__).parents[3] / "docs" / "commands.md"
# Of the contract, those whose core exists.
PROMISED = (
    "todos todo plan wake hold budget model agent sessions resume rename schedule permissions trust copy cost"
    " status help quit fork export search theme keys settings setup"
).split()


def test_the_page_of_commands_is_up_to_date() -> None:
    assert PAGE.read_text() == write(), "run: python -m agent.commands.reference > docs/commands.md"


def test_every_promised_command_is_there() -> None:
    assert set(PROMISED) <= {each.name for each in COMMANDS}


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
async def test_every_command_has_help_and_usage_and_is_in_the_docs(command: Command, tmp_path: Path) -> None:
    assert command.help
    assert "\n" not in command.help
    assert command.help[0].isupper()
    assert command.usage.startswith(f"/{command.name}")
    assert f"`{command.usage}`".replace("|", r"\|") in PAGE.read_text()
    async with desk(tmp_path) as typing:
        assert command.usage in await typing.read(f"/help {command.name}")


def test_no_two_commands_share_a_name() -> None:
    names = [each.name for each in COMMANDS]

    assert len(names) == len(set(names))
