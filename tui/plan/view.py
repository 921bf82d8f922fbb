"""The list of the plan with its keys: what the user does to it becomes commands for those who keep it."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message

from agent.todos.errors import TodoError
from agent.todos.filters import parse_filter
from agent.todos.grammar import Add, Command, Delete, Move, SetStatus, Subject, Undo
from agent.todos.rules import OPEN, TERMINAL, check_title
from store.records import Todo, TodoStatus
from tui.plan.drawing import mark_column
from tui.plan.editor import Typed
from tui.plan.listing import Entry, PlanList
from tui.plan.refusals import FINISHED_ORDER, unmoved, unset
from tui.plan.rows import FINISHED, Group, Item, Row


class PlanView(PlanList):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "step(-1)", "Row above", id="plan-up"),
        Binding("down,j", "step(1)", "Row below", id="plan-down"),
        Binding("home", "edge(-1)", "First row", id="plan-first"),
        Binding("end", "edge(1)", "Last row", id="plan-last"),
        Binding("pageup", "leaf(-1)", "Page up in the plan", id="plan-page-up"),
        Binding("pagedown", "leaf(1)", "Page down in the plan", id="plan-page-down"),
        Binding("left", "fold(True)", "Fold subtasks, or what is done", id="plan-fold"),
        Binding("right", "fold(False)", "Unfold", id="plan-unfold"),
        Binding("space", "tick", "Tick, or open again", id="plan-tick"),
        Binding("s", "start", "Start, or put back", id="plan-start"),
        Binding("n", "write('new')", "New todo", id="plan-new"),
        Binding("e", "write('edit')", "Edit the title", id="plan-edit"),
        Binding("b", "write('block')", "Block, with a reason", id="plan-block"),
        Binding("x", "cancel", "Cancel the todo", id="plan-cancel"),
        Binding("d", "delete", "Delete, with its subtasks", id="plan-delete"),
        Binding("u", "undo", "Undo the newest change", id="plan-undo"),
        Binding("K,shift+up", "shift(-1)", "Move up", id="plan-move-up"),
        Binding("J,shift+down", "shift(1)", "Move down", id="plan-move-down"),
        Binding("slash", "write('filter')", "Filter", id="plan-filter"),
        Binding("enter", "open", "Details", id="plan-details"),
        Binding("plus", "widen(2)", "Wider", id="plan-wider"),
        Binding("minus", "widen(-2)", "Narrower", id="plan-narrower"),
        Binding("escape", "leave", "Back to the prompt", id="plan-leave"),
    ]

    class Asked(Message):
        """The user wants the plan changed."""

        def __init__(self, command: Command) -> None:
            super().__init__()
            self.command = command

    class Opened(Message):
        """The user wants to know all about a todo."""

        def __init__(self, todo: Todo) -> None:
            super().__init__()
            self.todo = todo

    class Widened(Message):
        def __init__(self, cells: int) -> None:
            super().__init__()
            self.cells = cells

    class Said(Message):
        """Why a key did nothing."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    class Left(Message):
        """Keys go back to the prompt."""

    class Changed(Message):
        """What stands around the list may look different now."""

    _gone = False
    _clicked: int | None = None
    _pressed: Row | None = None
    _again = False

    def show(self, todos: tuple[Todo, ...]) -> None:
        entry = self.entry
        if entry and entry.todo_id and all(todo.id != entry.todo_id for todo in todos):
            self._outlive(entry)
        super().show(todos)

    async def _on_key(self, event: events.Key) -> None:
        """Here rather than on the way up, so that keys typed in one breath act in the order they came."""
        if self._gone:
            # Typed behind the key that left: meant for the prompt, and harmful here.
            event.stop()
        elif self.entry:
            self._write(self.entry, event)
        else:
            found = self.screen.active_bindings.get(event.key)
            if found is None or found.node is not self:
                return
            event.stop()
            await self.run_action(found.binding.action)
        event.prevent_default()

    def on_focus(self) -> None:
        self._gone = False
        super().on_focus()
        self.post_message(self.Changed())

    def on_blur(self) -> None:
        self._gone = False
        self._clicked = None
        if self.entry and not self._begun(self.entry):
            self._close()
        super().on_blur()

    def on_paste(self, event: events.Paste) -> None:
        event.stop()
        if self.entry:
            self._retype(self.entry, self.entry.typed.insert(event.text))

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """The row that the pointer came down on counts; what appears below the list may move it away."""
        row = self.row_at(self.scroll_offset.y + event.y)
        self._pressed = None if row is None or self.entry else row
        if self._pressed:
            self._again = self._pressed.id == self.selected == self._clicked
            self.select(self._pressed.id)

    def on_click(self, event: events.Click) -> None:
        row, self._pressed = self._pressed, None
        if row is None:
            return
        self._clicked = row.id
        self.post_message(self.Changed())
        if isinstance(row, Group):
            self._toggle(FINISHED)
        elif (item := self.plan.item(row)) and 0 <= event.x - mark_column(item.level) <= 1:
            self.action_tick()
        elif self._again:
            self.action_open()

    def action_step(self, step: int) -> None:
        self._go((self.plan.place(self.selected) or 0) + step)

    def action_edge(self, way: int) -> None:
        self._go(0 if way < 0 else len(self.plan.rows) - 1)

    def action_leaf(self, way: int) -> None:
        self.action_step(way * max(1, self.page - 2))

    def action_fold(self, folding: bool) -> None:
        item = self.item
        if (key := self.foldable(folding)) is not None:
            self._toggle(key)
        elif item and folding and item.todo.parent_id and self.plan.place(item.todo.parent_id) is not None:
            self.select(item.todo.parent_id)

    def action_tick(self) -> None:
        if self.selected == FINISHED:
            self._toggle(FINISHED)
        elif self.item:
            self._set(self.item, "pending" if self.item.todo.status in TERMINAL else "completed")

    def action_start(self) -> None:
        if self.item:
            self._set(self.item, "pending" if self.item.todo.status == "in_progress" else "in_progress")

    def action_cancel(self) -> None:
        if self.item:
            self._set(self.item, "pending" if self.item.todo.status == "cancelled" else "cancelled")

    def action_delete(self) -> None:
        if self.item:
            self.post_message(self.Asked(Delete((str(self.item.todo.id),))))

    def action_undo(self) -> None:
        self.post_message(self.Asked(Undo()))

    def action_shift(self, step: int) -> None:
        item = self.item
        if item is None:
            return
        if item.todo.status not in OPEN:
            self.post_message(self.Said(FINISHED_ORDER))
            return
        other = self.plan.beside(item.todo, step)
        if other is None:
            todos = (row for row in self.plan.rows if isinstance(row, Todo))
            beside = [todo for todo in todos if todo.parent_id == item.todo.parent_id]
            self.post_message(self.Said(unmoved(item.todo, beside, step)))
            return
        place = "before" if step < 0 else "after"
        self.post_message(self.Asked(Move(str(item.todo.id), place, str(other.id))))

    def action_write(self, kind: str) -> None:
        item = self.item
        match kind:
            case "new":
                self._begin(Entry("new", Typed()))
            case "filter":
                self._begin(Entry("filter", Typed(self.filter)))
            case "edit" if item:
                self._begin(Entry("edit", Typed(item.todo.title), item.todo.id))
            case "block" if item and self._allowed(item.todo, "blocked"):
                self._begin(Entry("block", Typed(item.todo.blocked_reason or ""), item.todo.id))
            case _:
                return

    def action_open(self) -> None:
        if self.selected == FINISHED:
            self._toggle(FINISHED)
        elif self.item:
            self.post_message(self.Opened(self.item.todo))

    def action_widen(self, cells: int) -> None:
        self.post_message(self.Widened(cells))

    def action_leave(self) -> None:
        if self.filter:
            self._filter("")
        else:
            self._gone = True
            self.post_message(self.Left())

    def _go(self, index: int) -> None:
        if self.plan.rows:
            self.select(self.plan.rows[max(0, min(index, len(self.plan.rows) - 1))].id)
            self.post_message(self.Changed())

    def _toggle(self, key: int) -> None:
        self.folds = self.folds.toggled(key)
        self.lay_out()
        self.post_message(self.Changed())

    def _allowed(self, todo: Todo, status: TodoStatus) -> bool:
        if refusal := unset(todo, status):
            self.post_message(self.Said(refusal))
        return not refusal

    def _set(self, item: Item, status: TodoStatus) -> None:
        if not self._allowed(item.todo, status):
            return
        if status in TERMINAL and (index := self.plan.place(item.id)) is not None:
            # It goes to the end of the list; who goes through it wants the next one.
            after = self.plan.rows[index + 1 : index + 2] or self.plan.rows[index - 1 : index]
            self.select(after[0].id if after else item.id)
        self.post_message(self.Asked(SetStatus((str(item.todo.id),), status)))

    def _begin(self, entry: Entry) -> None:
        self.entry = entry
        self.lay_out()
        self.post_message(self.Changed())

    def _close(self) -> None:
        if self.entry:
            self.entry = None
            self.lay_out()
            self.post_message(self.Changed())

    def _begun(self, entry: Entry) -> bool:
        """Whether words would be lost with it. A filter has done already what it was typed for."""
        text, item = entry.typed.text.strip(), self.item
        if entry.kind == "filter" or not text:
            return False
        known = () if item is None else (item.todo.title, item.todo.blocked_reason)
        return entry.kind == "new" or text not in known

    def _outlive(self, entry: Entry) -> None:
        """The todo is gone; words that were written for it are worth another one."""
        if self._begun(entry):
            self.entry = Entry("new", entry.typed, gone=entry.todo_id)
        else:
            self.entry = None
            self.post_message(self.Said(f"#{entry.todo_id} was deleted"))

    def _write(self, entry: Entry, event: events.Key) -> None:
        key = event.key
        if key == "escape":
            event.stop()
            self._close()
            if entry.kind == "filter":
                self._filter("")
        elif key == "enter" or (entry.kind == "filter" and key in ("up", "down")):
            event.stop()
            self._submit(entry)
        elif (typed := entry.typed.press(key, event.character)) is not None:
            event.stop()
            self._retype(entry, typed)

    def _retype(self, entry: Entry, typed: Typed) -> None:
        self.entry = replace(entry, typed=typed)
        if entry.kind == "filter":
            self._filter(typed.text)
        else:
            self.measure()
            self.show_selected()
            self.post_message(self.Changed())

    def _submit(self, entry: Entry) -> None:
        text = entry.typed.text.strip()
        before = self.item.todo.title if self.item else ""
        try:
            if entry.kind in ("new", "edit") and text:
                check_title(text)
        except TodoError as error:
            self.post_message(self.Said(str(error)))
            return
        if entry.todo_id and not text:
            said = "a title has one letter at least" if entry.kind == "edit" else "say what it waits for"
            self.post_message(self.Said(said))
            return
        self._close()
        target = str(entry.todo_id)
        match entry.kind:
            case "new" if text:
                self.post_message(self.Asked(Add(text)))
            case "edit" if text and text != before:
                self.post_message(self.Asked(Subject(target, text)))
            case "block" if text:
                self.post_message(self.Asked(SetStatus((target,), "blocked", text)))
            case _:
                return

    def _filter(self, text: str) -> None:
        try:
            wanted = parse_filter(text) if text.strip() else None
        except TodoError:
            # Half a word; what was found so far stays until it is whole.
            self.filter = text
        else:
            self.narrow(text, wanted)
        self.post_message(self.Changed())
