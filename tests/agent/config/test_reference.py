from __future__ import annotations

from pathlib import Path

from agent.config.layers import RESERVED
from agent.config.reference import write
from agent.config.settings import all_settings

PAGE = Path(__file__).parents[3] / "docs" / "settings.md"


def test_the_page_of_settings_is_up_to_date() -> None:
    assert PAGE.read_text() == write(), "run: python -m agent.config.reference > docs/settings.md"


def test_every_setting_says_what_it_does_in_one_line() -> None:
    assert [setting.key for setting in all_settings() if not setting.description.strip()] == []
    assert [setting.key for setting in all_settings() if "\n" in setting.description] == []


def test_no_two_settings_share_a_variable() -> None:
    variables = [setting.variable for setting in all_settings() if setting.variable]

    assert len(variables) == len(set(variables))


def test_variables_that_are_no_settings_are_named_with_them() -> None:
    assert [name for name in sorted(RESERVED) if f"`{name}" not in write()] == []
