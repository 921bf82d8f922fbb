"""The app that the sidebar's row measures: nothing but the plan, with 10,000 todos that change one by one."""

from __future__ import annotations

import asyncio
import gc
import json
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from textual.app import App, ComposeResult

from agent.todos.snapshot import Snapshot
from store.records import Todo
from tui.plan.memory import Shape
from tui.plan.panel import PlanPanel
from tui.theme import load_theme
from tui.transcript.ink import Ink

TODOS = 10_000
ROUNDS = 20
NOW = 1_700_000_000_000


class Planner(App[None]):
    CSS_PATH = "../tui/styles.tcss"

    def __init__(self, figures: Path) -> None:
        self.palette = load_theme()
        super().__init__()
        self.figures = figures
        self.panel = PlanPanel(Ink(self.palette), Shape())

    def get_css_variables(self) -> dict[str, str]:
        return super().get_css_variables() | self.palette.variables()

    def compose(self) -> ComposeResult:
        self.panel.add_class("-shown")
        yield self.panel

    def on_mount(self) -> None:
        self.run_worker(self.measure())

    async def measure(self) -> None:
        await self.painted()
        known = Snapshot().changed([_todo(number) for number in range(1, TODOS + 1)], (), 1)
        spent = {"load": [await self.shown(known)], "start": [], "complete": [], "add": [], "scroll": []}
        gc.freeze()
        for number in range(ROUNDS):
            todo = known.by_id[3 * number + 1]
            known = known.changed([replace(todo, status="in_progress", started_at=NOW)], (), 2)
            spent["start"].append(await self.shown(known))
            known = known.changed([replace(todo, status="completed", completed_at=NOW + number)], (), 3)
            spent["complete"].append(await self.shown(known))
            known = known.changed([_todo(TODOS + number + 1)], (), 4)
            spent["add"].append(await self.shown(known))
            view = self.query_one("#plan-list")
            spent["scroll"].append(await self.spent(view.scroll_page_down))
        self.figures.write_text(json.dumps(spent))
        self.exit()

    async def shown(self, known: Snapshot) -> float:
        return await self.spent(lambda: self.panel.show(known.todos, known.progress))

    async def spent(self, work: Callable[[], object]) -> float:
        before = time.process_time()
        work()
        await self.painted()
        return (time.process_time() - before) * 1000

    async def painted(self) -> None:
        done = asyncio.Event()
        self.call_after_refresh(done.set)
        await done.wait()


def _todo(number: int) -> Todo:
    """Some have a parent, some wait for another, some are blocked: as in a plan that grew."""
    blocked = number % 50 == 0
    return Todo(
        id=number,
        session_id="s",
        workspace="/project",
        tenant="local",
        parent_id=number - 1 if number % 5 == 0 else None,
        title=f"step {number} of the plan, in words that one would use",
        notes=None,
        status="blocked" if blocked else "pending",
        blocked_reason="needs the version" if blocked else None,
        blocked_on="human" if blocked else None,
        priority="medium",
        depends_on=(number - 1,) if number % 10 == 1 and number > 1 else (),
        artifact_id=None,
        sprint_id=None,
        check=None,
        position=number,
        assignee=None,
        created_by="agent:build",
        completed_by=None,
        created_at=NOW,
        updated_at=NOW,
        completed_at=None,
    )


if __name__ == "__main__":
    Planner(Path(sys.argv[1])).run()
