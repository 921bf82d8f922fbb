"""Prices and limits."""

import subprocess
import sys
from typing import Any

import pytest

from agent.models.catalog import SAFE_CONTEXT, SAFE_OUTPUT, load, look_up, names
from store.records import Usage

TABLE: dict[str, Any] = {
    "gpt-x": {
        "litellm_provider": "openai",
        "max_input_tokens": 1000,
        "max_output_tokens": 100,
        "input_cost_per_token": 2.0,
        "output_cost_per_token": 10.0,
        "cache_read_input_token_cost": 0.5,
        "input_cost_per_token_above_1k_tokens": 4.0,
        "output_cost_per_token_above_1k_tokens": 20.0,
    },
    "odd": {"max_input_tokens": "many", "input_cost_per_token": None},
}


def test_the_cost_counts_each_kind_of_token_at_its_price():
    entry = look_up("openai/gpt-x", table=TABLE)

    assert (entry.context, entry.max_output, entry.note) == (1000, 100, "")
    assert entry.cost(Usage(input=10, output=3, cache_read=4, cache_write=1)) == 20 + 30 + 2 + 2


def test_a_long_prompt_costs_what_the_dearer_tier_says():
    entry = look_up("gpt-x", table=TABLE)

    assert entry.cost(Usage(input=1000, output=1)) == 2010
    assert entry.cost(Usage(input=1001, output=1)) == 4024


@pytest.mark.parametrize("name", ["openai/never-heard-of", "elsewhere/gpt-x", "odd", ""])
def test_an_unknown_model_gets_safe_limits_no_price_and_a_note(name: str):
    entry = look_up(name, table=TABLE)

    assert (entry.context, entry.max_output) == (SAFE_CONTEXT, SAFE_OUTPUT)
    assert entry.cost(Usage(input=5)) is None
    assert "price" in entry.note


def test_what_the_user_configured_wins():
    entry = look_up("openai/gpt-x", context=50, max_output=500, table=TABLE)

    assert (entry.context, entry.max_output) == (50, 50)


def test_only_a_model_that_is_known_to_read_text_alone_is_shown_no_pictures():
    seeing = {**TABLE, "gpt-x": TABLE["gpt-x"] | {"supports_vision": True}}

    assert not look_up("openai/gpt-x", table=TABLE).pictures
    assert look_up("openai/gpt-x", table=seeing).pictures
    assert look_up("ollama/some", table=TABLE).pictures


def test_a_model_on_ones_own_machine_costs_nothing():
    assert look_up("ollama/some", table={}).cost(Usage(input=5, output=5)) == 0


@pytest.mark.parametrize(
    "name", ["openai/gpt-4o", "gpt-4o", "anthropic/claude-sonnet-4-5", "openrouter/openai/gpt-4o"]
)
def test_the_shipped_table_knows_the_usual_models(name: str):
    entry = look_up(name)

    assert entry.context >= 100_000
    assert entry.prices is not None


def test_reading_the_table_never_loads_litellm():
    code = "import sys; from agent.models.catalog import load; load(); print('litellm' in sys.modules)"

    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert shown.stdout.strip() == "False"


def test_a_row_read_alone_is_the_one_of_the_whole_table() -> None:
    table = load()
    some = list(table)[:: len(table) // 60]

    assert len(some) > 50
    for name in some:
        assert look_up(name) == look_up(name, table=table)


def test_a_name_that_is_only_part_of_another_has_no_row() -> None:
    assert look_up("openai/gpt-4.").note.startswith("not known")


def test_what_is_offered_can_call_tools_and_is_offered_once():
    offered = names("openai")

    assert "openai/gpt-4o" in offered
    assert not [
        name for name in offered if "ft:" in name or "audio" in name or name == "openai/gpt-4o-2024-08-06"
    ]
