"""What each key does at the prompt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prompt_toolkit.filters import Condition, has_completions, is_searching
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys

from agent.events import Choice, QuestionAsked
from tui.asking import by_key

if TYPE_CHECKING:
    from tui.repl.screen import Screen
    from tui.repl.talk import Talk


def bindings(screen: Screen, talk: Talk) -> KeyBindings:
    keys = KeyBindings()
    _typing(keys, screen, talk)
    _helping(keys, screen, talk)
    _drawing(keys, screen)
    _leaving(keys, screen, talk)
    _answering(keys, screen, talk)
    return keys


def _typing(keys: KeyBindings, screen: Screen, talk: Talk) -> None:
    typing = ~is_searching

    @keys.add("enter", filter=typing)
    def submit(event: KeyPressEvent) -> None:
        buffer = event.current_buffer
        state = buffer.complete_state
        if state is not None and state.current_completion is not None:
            buffer.complete_state = None
            return
        if buffer.document.text_before_cursor.endswith("\\"):
            buffer.delete_before_cursor()
            buffer.insert_text("\n")
            return
        refused = screen.refusing
        if refused is not None:
            text = screen.typed
            screen.stop_refusing()
            talk.answer(refused[0], refused[1].name, text.strip())
            return
        if not screen.answers_too_early():
            talk.submit(screen.taken())

    @keys.add("escape", "enter", filter=typing)
    def newline(event: KeyPressEvent) -> None:
        event.current_buffer.insert_text("\n")


def _helping(keys: KeyBindings, screen: Screen, talk: Talk) -> None:
    typing = ~is_searching

    @keys.add("c-s", filter=typing)
    def steer(event: KeyPressEvent) -> None:
        del event
        talk.steer(screen.taken())

    @keys.add("up", filter=typing & Condition(lambda: not screen.buffer.text and bool(talk.session.queued)))
    def take_back(event: KeyPressEvent) -> None:
        """The last of what waits, to be changed; without any it is the history's."""
        del event
        *_, last = talk.session.inbox
        if talk.session.inbox.withdraw(last.id) is not None:
            screen.draft(last.text)

    @keys.add(Keys.BracketedPaste, filter=typing)
    def paste(event: KeyPressEvent) -> None:
        screen.paste(event.data)

    @keys.add("tab", filter=typing)
    def complete(event: KeyPressEvent) -> None:
        buffer = event.current_buffer
        if buffer.complete_state:
            buffer.complete_next()
        else:
            buffer.start_completion(select_first=True)

    @keys.add("s-tab", filter=typing & has_completions)
    def complete_back(event: KeyPressEvent) -> None:
        event.current_buffer.complete_previous()


def _drawing(keys: KeyBindings, screen: Screen) -> None:
    @keys.add("c-g", filter=~is_searching)
    def edit(event: KeyPressEvent) -> None:
        del event
        screen.open_editor()

    @keys.add("c-l")
    def clear(event: KeyPressEvent) -> None:
        del event
        screen.clear()

    @keys.add("c-z")
    def suspend(event: KeyPressEvent) -> None:
        event.app.suspend_to_background()


def _leaving(keys: KeyBindings, screen: Screen, talk: Talk) -> None:
    @keys.add("escape", filter=~is_searching)
    def stop(event: KeyPressEvent) -> None:
        if event.current_buffer.complete_state is not None:
            event.current_buffer.cancel_completion()
        elif screen.refusing is not None:
            screen.stop_refusing()
        elif talk.interruptible:
            talk.interrupt()

    @keys.add("c-c")
    def interrupt(event: KeyPressEvent) -> None:
        del event
        screen.interrupted()

    @keys.add("c-d", filter=Condition(lambda: not screen.buffer.text))
    def leave(event: KeyPressEvent) -> None:
        del event
        screen.left()


def _answering(keys: KeyBindings, screen: Screen, talk: Talk) -> None:
    @keys.add(Keys.Any, filter=Condition(lambda: screen.answerable is not None))
    def answer(event: KeyPressEvent) -> None:
        question = screen.answerable
        choice = by_key(question, event.data) if question else None
        event.current_buffer.insert_text(event.data)
        if question is not None and choice is not None:
            screen.when_alone(event.data, question, lambda: decide(question, choice))

    def decide(question: QuestionAsked, choice: Choice) -> None:
        if choice.text:
            screen.refuse(question, choice)
        else:
            talk.answer(question, choice.name)
