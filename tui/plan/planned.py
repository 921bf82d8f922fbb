"""The part of the app that is the plan: where it is shown, how one gets there, what is done to it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.app import App
from textual.binding import Binding, BindingType

from tui.plan.place import Whereabouts
from tui.transcript.ink import Ink

if TYPE_CHECKING:
    from store.records import Progress, Todo
    from tui.plan.control import PlanControl
    from tui.plan.panel import PlanPanel
    from tui.plan.strip import PlanStrip
    from tui.plan.view import PlanView


class Planned(App[int]):
    """Derive, `make_plan` behind the first frame, and say where keys go when they leave the plan.

    `panel` and `strip` are there from then on, and nothing here is called before.
    """

    panel: PlanPanel
    strip: PlanStrip

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+t", "plan", "Show or hide the plan", id="plan"),
        Binding("alt+t", "enter_plan", "Go to the plan, or back", id="plan-enter", priority=True),
    ]

    def make_plan(self, ink: Ink, folder: Path) -> tuple[PlanPanel, PlanStrip]:
        """In the folder stands how the user left the sidebar the last time."""
        from tui.plan.memory import recall
        from tui.plan.panel import PlanPanel
        from tui.plan.strip import PlanStrip

        shape = recall(folder)
        self.panel, self.strip = PlanPanel(ink, shape), PlanStrip(ink)
        self._folder = folder
        self._whereabouts = Whereabouts(wanted=shape.wanted)
        self._locate(self._whereabouts._replace(columns=self.size.width))
        return self.panel, self.strip

    def furnish(self) -> None:
        """Everything is on the screen then, if it was not before."""
        raise NotImplementedError

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
        here = self._whereabouts
        # Whoever takes the last todo off the list is still in there, and may want it back.
        called = here.called or (not todos and here.shown and self.panel.has_focus_within)
        self._locate(here._replace(planned=bool(todos), called=called))

    def on_resize(self, event: events.Resize) -> None:
        if hasattr(self, "panel"):
            self._locate(self._whereabouts._replace(columns=event.size.width))

    def on_plan_view_asked(self, message: PlanView.Asked) -> None:
        if control := self.plan_control():
            control.change(message.command)

    def on_plan_panel_inquired(self, message: PlanPanel.Inquired) -> None:
        if control := self.plan_control():
            control.look_up(message.todo_id)

    async def on_plan_panel_reshaped(self, message: PlanPanel.Reshaped) -> None:
        from tui.plan.memory import keep

        self._fit()
        await asyncio.to_thread(keep, self._folder, message.shape)

    def on_plan_view_left(self) -> None:
        self._leave_plan()

    def on_plan_strip_opened(self) -> None:
        self.action_plan()

    def action_plan(self) -> None:
        self.furnish()
        here = self._whereabouts
        self._locate(here.toggled())
        if self._whereabouts.over:
            self.panel.enter()
        elif here.shown:
            self._leave_plan()

    def action_enter_plan(self) -> None:
        self.furnish()
        if self.panel.has_focus_within and not self.panel.writing:
            self._leave_plan()
            return
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
