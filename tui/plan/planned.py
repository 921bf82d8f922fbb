"""The part of the app that is the plan: where it is shown, how one gets there, what is done to it."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.app import App
from textual.binding import Binding, BindingType

from store.records import Progress, Todo
from tui.plan.memory import keep, recall
from tui.plan.panel import PlanPanel
from tui.plan.place import Whereabouts
from tui.plan.strip import PlanStrip
from tui.plan.view import PlanView
from tui.transcript.ink import Ink

if TYPE_CHECKING:
    from tui.plan.control import PlanControl


class Planned(App[int]):
    """Derive, put `panel` and `strip` on the screen, and say where keys go when they leave the plan."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+t", "plan", "Show or hide the plan", id="plan"),
        Binding("alt+t", "enter_plan", "Go to the plan", id="plan-enter", priority=True),
    ]

    def __init__(self, ink: Ink, folder: Path, *, ansi_color: bool) -> None:
        """In the folder stands how the user left the sidebar the last time."""
        super().__init__(ansi_color=ansi_color)
        shape = recall(folder)
        self.panel = PlanPanel(ink, shape)
        self.strip = PlanStrip(ink)
        self._folder = folder
        self._whereabouts = Whereabouts(wanted=shape.wanted)

    def plan_control(self) -> PlanControl | None:
        """Who carries out what is done to the plan; nobody before the session is open."""
        raise NotImplementedError

    def focus_input(self) -> None:
        raise NotImplementedError

    def plan(self) -> PlanPanel:
        return self.panel

    def show_plan(self, todos: tuple[Todo, ...], progress: Progress) -> None:
        self.panel.show(todos, progress)
        self.strip.show(todos, progress)
        self._locate(replace(self._whereabouts, planned=bool(todos)))

    def on_resize(self, event: events.Resize) -> None:
        self._locate(replace(self._whereabouts, columns=event.size.width))

    def on_plan_view_asked(self, message: PlanView.Asked) -> None:
        if control := self.plan_control():
            control.change(message.command)

    def on_plan_panel_inquired(self, message: PlanPanel.Inquired) -> None:
        if control := self.plan_control():
            control.look_up(message.todo_id)

    async def on_plan_panel_reshaped(self, message: PlanPanel.Reshaped) -> None:
        self._fit()
        await asyncio.to_thread(keep, self._folder, message.shape)

    def on_plan_view_left(self) -> None:
        self._leave_plan()

    def on_plan_strip_opened(self) -> None:
        self.action_plan()

    def action_plan(self) -> None:
        here = self._whereabouts
        self._locate(here.toggled())
        if self._whereabouts.over:
            self.panel.enter()
        elif here.shown:
            self._leave_plan()

    def action_enter_plan(self) -> None:
        if not self._whereabouts.shown:
            self._locate(self._whereabouts.toggled())
        self.panel.enter()

    def _leave_plan(self) -> None:
        if self._whereabouts.over:
            self._locate(self._whereabouts.toggled())
        self.focus_input()

    def _locate(self, here: Whereabouts) -> None:
        self._whereabouts = here
        self.panel.set_class(here.shown, "-shown")
        self.panel.set_class(here.over, "-over")
        self.strip.set_class(here.strip, "-shown")
        self._fit()
        if self.panel.shape.wanted != here.wanted:
            self.panel.remember(wanted=here.wanted)

    def _fit(self) -> None:
        self.panel.fit(self._whereabouts.columns, over=self._whereabouts.over)
