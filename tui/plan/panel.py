"""The sidebar: the plan with what stands above and below it, and the details of one todo in its place."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, cast

from textual.app import App, ComposeResult
from textual.containers import Horizontal, Vertical
from textual.message import Message

from store.records import Progress, Stretch, Todo
from tui.bindings import NONE, first_key
from tui.plan.details import Details, Known
from tui.plan.foot import SILENT, Foot, Keys, Saying
from tui.plan.grip import Grip
from tui.plan.heading import Heading, State
from tui.plan.memory import Shape
from tui.plan.rows import Folds, Names
from tui.plan.view import PlanView
from tui.plan.work import Work, WorkPanel
from tui.transcript.ink import Ink
from tui.widgets.drawn import Hint

if TYPE_CHECKING:
    from agent.todos.journal import Entry

_NOTHING = Progress(0, 0)
# The keys worth a word while the list has them.
_OFFERED = {
    "plan-details": "details",
    "plan-start": "start",
    "plan-new": "new",
    "plan-tick": "tick",
    "plan-edit": "edit",
    "plan-block": "block",
    "plan-filter": "filter",
    "plan-cancel": "cancel",
    "plan-delete": "delete",
    "plan-undo": "undo",
    "plan-move-up": "higher",
    "plan-move-down": "lower",
    "plan-fold": "fold",
    "plan-unfold": "unfold",
    "plan-leave": "back",
    "details-back": "back",
}
# What can be done where there is no todo.
_WITHOUT_ROWS = {"plan-new", "plan-undo", "plan-leave", "details-back"}
_WRITING: Keys = (("enter", "keeps it"), ("escape", "drops it"))


class PlanPanel(Horizontal):
    class Inquired(Message):
        """What happened to a todo is wanted; `tell` answers."""

        def __init__(self, todo_id: int) -> None:
            super().__init__()
            self.todo_id = todo_id

    class Reshaped(Message):
        """The sidebar is to be remembered as it is now."""

        def __init__(self, shape: Shape) -> None:
            super().__init__()
            self.shape = shape

    def __init__(self, ink: Ink, shape: Shape) -> None:
        super().__init__(id="plan")
        self.shape = shape
        self._heading = Heading(ink)
        self._view = PlanView(ink, Folds(finished=shape.folded))
        self._details = Details(ink)
        self._work = WorkPanel(ink)
        self._foot = Foot(ink)
        self._grip = Grip(ink)
        self._todos: tuple[Todo, ...] = ()
        self._progress = _NOTHING
        self._saying = SILENT
        self._columns = 0
        self._holding = False

    def compose(self) -> ComposeResult:
        yield self._grip
        with Vertical(id="plan-body"):
            yield self._heading
            yield self._view
            yield self._details
            yield self._work
            yield self._foot

    def show(self, todos: tuple[Todo, ...], progress: Progress) -> None:
        """The whole list, as `todo.updated` brings it."""
        self._todos, self._progress = todos, progress
        self._view.show(todos)
        self._around()
        known = self._details.known
        if known and self._details.display:
            by_id = {todo.id: todo for todo in todos}
            self._detail(by_id.get(known.todo.id))

    def heed(self, *, holding: bool) -> None:
        """Whether the key that leaves the list would hold the agent now."""
        if holding != self._holding:
            self._holding = holding
            self._around()

    def show_work(self, work: Work) -> None:
        self._work.show(work)

    def time(self, stretch: Stretch | None) -> None:
        self._view.time(stretch)
        self._details.time(stretch)

    def learn(self, names: Names) -> None:
        self._view.learn(names)

    def say(
        self, text: str, *, failed: bool = False, about: int | None = None, undoable: bool = False
    ) -> None:
        """What a change did, or why it was refused; `about` is the todo to look at now."""
        if about is not None and self._view.hides(about):
            text = f"{text} " * bool(text) + f"#{about} is there; the filter hides it"
            about = None
        undo = first_key(self._view, "plan-undo")
        self._saying = Saying(text, failed, ((undo, "undoes it"),) if undoable and undo != NONE else ())
        if about is not None:
            self._view.select(about)
        self._around()

    def tell(self, todo_id: int, history: tuple[Entry, ...]) -> None:
        known = self._details.known
        if known and known.todo.id == todo_id:
            self._details.show(replace(known, history=history))

    @property
    def writing(self) -> bool:
        """Whether something is being typed in the list; what was begun may wait there meanwhile."""
        return self._view.entry is not None and self._view.has_focus

    @property
    def keeps_escape(self) -> bool:
        """Whether that key has something to do in here before it leaves."""
        return self.writing or self._details.has_focus or (self._view.has_focus and bool(self._view.filter))

    def enter(self) -> None:
        """Keys go here from now on."""
        (self._details if self._details.display else self._view).focus()

    def wear(self, ink: Ink) -> None:
        self._view.wear(ink)
        self._details.wear(ink)

    def fit(self, columns: int, *, over: bool) -> None:
        """Over the conversation it takes all of the screen: of lines that are cut off nothing can be read."""
        self._columns, self._grip.fixed = columns, over
        self.styles.width = columns if over else max(1, self.shape.width_in(columns))

    def remember(self, *, wanted: bool) -> None:
        self._reshape(replace(self.shape, wanted=wanted))

    def on_descendant_focus(self) -> None:
        self._around()

    def on_descendant_blur(self) -> None:
        self._saying = SILENT
        self._around()

    def on_click(self) -> None:
        """Whoever clicks has read what was said."""
        self._saying = SILENT
        self._around()

    def on_plan_view_changed(self, message: PlanView.Changed) -> None:
        message.stop()
        self._saying = SILENT
        self._around()
        if not self._view.filter and self._view.folds.finished != self.shape.folded:
            self._reshape(replace(self.shape, folded=self._view.folds.finished))

    def on_plan_view_said(self, message: PlanView.Said) -> None:
        message.stop()
        self.say(message.text, failed=True)

    def on_plan_view_opened(self, message: PlanView.Opened) -> None:
        message.stop()
        self._detail(message.todo)
        self.post_message(self.Inquired(message.todo.id))

    def on_details_closed(self, message: Details.Closed) -> None:
        message.stop()
        self._detail(None)

    def on_plan_view_widened(self, message: PlanView.Widened) -> None:
        message.stop()
        if not self._grip.fixed:
            self._reshape(self.shape.wider(message.cells, self._columns))

    def on_grip_dragged(self, message: Grip.Dragged) -> None:
        message.stop()
        self.shape = self.shape.as_wide_as(self._columns - message.column, self._columns)
        if message.done:
            self._reshape(self.shape)
        else:
            self.styles.width = self.shape.width

    def _reshape(self, shape: Shape) -> None:
        self.shape = shape
        self.post_message(self.Reshaped(shape))

    def _detail(self, todo: Todo | None) -> None:
        """In place of the list; without a todo the list again."""
        focused = self._view.has_focus or self._details.has_focus
        self._details.display, self._view.display = todo is not None, todo is None
        if todo:
            known = self._details.known
            history = known.history if known and known.todo.id == todo.id else None
            by_id = {each.id: each for each in self._todos}
            self._details.show(Known(todo, by_id, self._view.names, history))
        if focused:
            self.enter()

    def _around(self) -> None:
        view, entry = self._view, self._view.entry
        focused = view.has_focus or self._details.has_focus
        typed = entry.typed if entry and entry.kind == "filter" else None
        self._heading.show(State(self._progress, focused, view.filter, typed, view.found))
        self._grip.light(lit=focused)
        saying = self._saying
        if entry and entry.gone and not saying.failed:
            saying = Saying(f"#{entry.gone} was deleted; this becomes a new todo", keys=_WRITING)
        self._foot.show(saying, (_WRITING if entry else self._keys()) if focused else ())

    def _keys(self) -> Keys:
        """As the user has bound them; without a fold key where there is nothing to fold."""
        view = self._view
        idle = {"plan-fold": view.foldable(True) is None, "plan-unfold": view.foldable(False) is None}
        idle |= dict.fromkeys(_OFFERED.keys() - _WITHOUT_ROWS, True) if not view.plan.rows else {}
        focused = view if view.display else self._details
        keys = [
            (name, first_key(focused, name), word) for name, word in _OFFERED.items() if not idle.get(name)
        ]
        shown = ((key, word) if name != "plan-leave" else self._leaving(key) for name, key, word in keys)
        return tuple((key, word) for key, word in shown if key not in ("", NONE))

    def _leaving(self, key: str) -> Hint:
        """The way back, or what its key does before; that it holds the agent is said in the line of that."""
        if self._view.filter:
            return key, "show all"
        if self._holding:
            app = cast("App[int]", self.app)  # pyright: ignore[reportUnknownMemberType] # of any result
            return first_key(app, "plan-enter"), "back"
        return key, "back"
