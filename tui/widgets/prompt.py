"""Where the user types: several lines, a menu of what may follow, keys that act in the order they came."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.actions import SkipAction
from textual.binding import BindingType
from textual.message import Message

from tui.internals import Keys, act
from tui.pictures import named
from tui.prompting.bindings import EDITING, OWN
from tui.prompting.menu import Menu, menu_for
from tui.prompting.past import Past
from tui.prompting.tokens import cleaned
from tui.widgets.pasting import PastingArea

if TYPE_CHECKING:
    from agent.commands.registry import Completion


class Prompt(PastingArea, inherit_bindings=False):
    BINDINGS: ClassVar[list[BindingType]] = [*OWN, *EDITING]

    class Submitted(Message):
        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    class Steered(Submitted):
        """To go into the turn that is running."""

    class Sought(Message):
        """Something may follow what stands before the cursor; `offer` takes what that is."""

        def __init__(self, typed: str) -> None:
            super().__init__()
            self.typed = typed

    class Offered(Message):
        def __init__(self, menu: Menu | None) -> None:
            super().__init__()
            self.menu = menu

    class Listed(Submitted):
        """To go on the list as a todo."""

    class Withdrawing(Message):
        """The message that was queued last is wanted back."""

    class Pictured(Message):
        """What was written may be the path of a picture; `name_picture` gives it a word."""

        def __init__(self, written: str, path: str) -> None:
            super().__init__()
            self.written, self.path = written, path

    class Editing(Message):
        """To go on in the user's editor."""

    class Recalling(Message):
        """An earlier prompt is looked for."""

    def __init__(self, placeholder: str) -> None:
        super().__init__(placeholder, id="prompt")
        self.past = Past()
        self.queued = False
        self._menu: Menu | None = None
        self._dismissed = False
        # For what the app looks, and whether the first that it finds is wanted.
        self._sought: str | None = None
        self._hasty = False
        self._unchanged: str | None = None
        self._keys = Keys(self)

    def taken(self) -> str:
        """What was typed, with words as they stand; the prompt is empty then."""
        text = self.text
        self.past.add(text)
        self.put("")
        return text

    def put(self, text: str) -> None:
        """Nothing is offered for it before it is changed."""
        super().put(text)
        self._unchanged = self.text
        self._dismissed = False
        self._show(None)

    def offer(self, typed: str, offers: Sequence[Completion]) -> None:
        """What was found for `typed`; too late when something else stands there by now."""
        if typed == self._sought:
            self._sought = None
        if typed != self.typed or self._dismissed:
            return
        menu = menu_for(typed, offers)
        if menu and self._hasty:
            self._hasty = False
            self._accept(menu, menu.offer or menu.offers[0])
        else:
            self._show(menu)

    def name_picture(self, written: str, path: str) -> None:
        """It is one: a word stands for it, unless what was written has gone meanwhile."""
        for row in range(self.document.line_count):
            at = self.document.get_line(row).rfind(written)
            if at >= 0:
                end = at + len(written)
                word = self.tokens.picture(path.rpartition("/")[2], path)
                # What is typed behind it is not part of its name.
                word += "" if self.document.get_line(row)[end:] else " "
                self.replace(word, (row, at), (row, end))
                return

    def pick(self, at: int) -> None:
        """As if chosen by keys."""
        if self._menu:
            self._accept(self._menu, self._menu.offers[at])
            self.focus()

    async def _on_key(self, event: events.Key) -> None:
        """Bindings act here and now: waiting for the key to bubble up would let later letters overtake it."""
        if self.poured(event):
            event.prevent_default().stop()
            return
        before, self._hasty = self.text, False
        action = self._keys.action(event.key)
        if action is not None and await act(self, action):
            event.prevent_default().stop()
        else:
            await super()._on_key(event)
        if self.text not in (before, self._unchanged):
            self._unchanged = None
            self.considered()
        elif self._menu and self._menu.typed != self.typed:
            self._show(None)

    def action_send(self) -> None:
        menu = self._menu
        offer = menu.offer if menu else None
        if menu is None or offer is None or menu.typed[offer.start :] == offer.text:
            self._send()
            return
        self._accept(menu, offer)
        if offer.ready and self.text.lstrip().startswith("/") and self.cursor_at_end_of_text:
            self._send()

    def action_steer(self) -> None:
        self.post_message(self.Steered(self.taken()))

    def action_list(self) -> None:
        if self.text.strip():
            self.post_message(self.Listed(self.taken()))

    def action_newline(self) -> None:
        start, end = self.selection
        self.replace("\n", start, end, maintain_selection_offset=False)

    def action_complete(self) -> None:
        menu = self._menu
        if menu is not None:
            self._accept(menu, menu.offer or menu.offers[0])
        elif not self._may_follow(self.typed):
            raise SkipAction
        elif self._sought == self.typed:
            self._hasty = True
        else:
            self._seek(self.typed)

    def action_close_menu(self) -> None:
        if self._menu is None:
            raise SkipAction
        self._dismissed = True
        self._show(None)

    def action_up(self) -> None:
        if self._menu:
            self._show(self._menu.stepped(-1))
        elif not self.navigator.is_first_wrapped_line(self.cursor_location):
            self.action_cursor_up()
        elif self.queued:
            # It is among the earlier ones too, but must not be sent twice.
            self.post_message(self.Withdrawing())
        else:
            self._turn_to(self.past.earlier(self.text))

    def action_down(self) -> None:
        if self._menu:
            self._show(self._menu.stepped(1))
        elif self.navigator.is_last_wrapped_line(self.cursor_location):
            self._turn_to(self.past.later(self.text))
        else:
            self.action_cursor_down()

    def action_edit(self) -> None:
        self.post_message(self.Editing())

    def action_recall(self) -> None:
        self.post_message(self.Recalling())

    def _send(self) -> None:
        """A backslash at the end asks for another line instead."""
        row, column = self.cursor_location
        if self.typed.endswith("\\") and self.cursor_at_end_of_text:
            self.replace("\n", (row, column - 1), (row, column), maintain_selection_offset=False)
            return
        self.post_message(self.Submitted(self.taken()))

    def _turn_to(self, text: str | None) -> None:
        if text is not None:
            self.put(text)

    def _accept(self, menu: Menu, offer: Completion) -> None:
        text = cleaned(menu.completed(offer))
        self.replace(text, (0, 0), self.cursor_location, maintain_selection_offset=False)
        self.considered()

    def considered(self) -> None:
        """Something was changed: ask for what may follow, or close the menu."""
        typed = self.typed
        self._look_for_picture(typed)
        if not self._may_follow(typed):
            self._dismissed = False
            self._show(None)
        elif not self._dismissed:
            self._seek(typed)

    def _seek(self, typed: str) -> None:
        self._sought, self._dismissed = typed, False
        self.post_message(self.Sought(typed))

    def _look_for_picture(self, typed: str) -> None:
        """A path that the cursor has just left behind, by a blank or by a paste."""
        if not (typed.endswith(" ") or self.pasting):
            return
        for written, path in named(typed.rpartition("\n")[2])[-1:]:
            if typed.rstrip(" ").endswith(written):
                self.post_message(self.Pictured(written, path))

    def _may_follow(self, typed: str) -> bool:
        last = typed.rpartition("\n")[2].rpartition(" ")[2]
        return typed.startswith("/") or last.startswith("@")

    def _show(self, menu: Menu | None) -> None:
        if menu != self._menu:
            self._menu = menu
            self.post_message(self.Offered(menu))
