"""A price that nobody knows is never shown as an amount."""

import json
from pathlib import Path

import pytest

from agent.archive.gathering import gather
from agent.archive.markdown import to_markdown
from agent.archive.page import to_html
from agent.commands.builtin import context_for
from agent.commands.execution import execute
from agent.commands.text import as_text
from agent.events import TurnEnded, UsageUpdated, to_json
from agent.models.scripted import Scripted, said
from agent.money import amount, known_cost
from agent.overview import overviews
from tests.agent.openings import stage

UNPRICED, PRICED = "openai/no-such-model", "anthropic/claude-sonnet-4-5"


@pytest.mark.parametrize(
    ("cost", "priced", "used", "shown", "value"),
    [
        (0.0, True, True, "$0.0000", 0.0),
        (0.5, True, True, "$0.5000", 0.5),
        (0.0, False, True, "price unknown", None),
        (0.0, False, False, "$0.0000", 0.0),
        (0.5, False, True, "at least $0.5000, one price unknown", None),
    ],
)
def test_an_amount_is_told_only_where_it_is_known(
    cost: float, priced: bool, used: bool, shown: str, value: float | None
):
    assert amount(cost, priced=priced, used=used) == shown
    assert known_cost(cost, priced=priced, used=used) == value


async def shown(tmp_path: Path, model: str) -> list[str]:
    """All the places that tell what a session cost."""
    script = [
        said("", ("todo_add", {"title": "a", "status": "in_progress"})),
        said("", ("todo_complete", {"id": 1})),
        said("done"),
    ]
    async with stage(tmp_path, Scripted(script), model_name=model) as scene:
        await scene.ask("work")
        opened, session = scene.opened, scene.opened.session
        context = context_for(opened)
        told = [as_text(await execute(context, line)) for line in ("/cost", "/status", "/budget")]
        archive = await opened.store.read(gather, session.id)
        told += [to_markdown(archive), to_html(archive)]
        (row,) = await overviews(opened.store, opened.opening.paths.locks, None)
        told.append(json.dumps(row.as_json()))
        told += [to_json(event) for event in scene.events if isinstance(event, TurnEnded | UsageUpdated)]
    return told


async def test_a_session_of_an_unknown_price_shows_no_money_anywhere(tmp_path: Path):
    told = await shown(tmp_path, UNPRICED)

    *texts, overview = told[:6]
    assert all("price unknown" in text for text in texts)
    assert all("$0" not in text for text in texts)
    assert [json.loads(text)["cost"] for text in [overview, *told[6:]]] == [None] * (len(told) - 5)


async def test_a_session_of_a_known_price_shows_the_amount_everywhere(tmp_path: Path):
    told = await shown(tmp_path, PRICED)

    assert not any("price unknown" in text for text in told)
    assert all("$0.00" in text for text in told[:5])
    assert all(json.loads(text)["cost"] > 0 for text in told[5:])
