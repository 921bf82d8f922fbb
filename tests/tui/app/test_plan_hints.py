"""The keys below the plan do what is said of them."""

import asyncio
from pathlib import Path

from agent.models.scripted import Scripted, said
from tests.tui.app.pilots import running, screen_text, type_text, until

ITEMS = [{"title": "Cook"}, {"title": "Peel", "parent_id": 1}, {"title": "Cut", "parent_id": 1}]


async def test_while_the_agent_works_another_key_leads_back(tmp_path: Path):
    model = Scripted([said("", ("todo_add", {"items": ITEMS})), (asyncio.Event(), *said("Late."))])
    async with running(tmp_path, model=model) as (app, pilot):
        await type_text(pilot, "plan")
        await pilot.press("enter")
        await until(pilot, lambda: "○ Cut" in screen_text(app))

        await pilot.press("alt+t")
        await until(pilot, lambda: "alt+t back" in screen_text(app))
        assert "esc back" not in screen_text(app)

        await pilot.press("escape", "alt+t")
        await until(pilot, lambda: "esc back" in screen_text(app))
        assert "alt+t back" not in screen_text(app)


async def test_with_a_filter_the_key_shows_everything_again(tmp_path: Path):
    async with running(tmp_path) as (app, pilot):
        await pilot.press("alt+t", "n", *"Boil", "enter")
        await until(pilot, lambda: "#1" in screen_text(app))

        await pilot.press("slash", *"boil", "enter")
        await until(pilot, lambda: "esc show all" in screen_text(app))

        await pilot.press("escape")
        await until(pilot, lambda: "esc back" in screen_text(app))
