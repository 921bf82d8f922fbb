"""The part of the app that lies over the rest: lists to choose from, and what becomes of the choice."""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.binding import Binding, BindingType

from tui.bindings import Keyed, key_for, wished_keys, written
from tui.theme import Palette
from tui.transcript.ink import Ink
from tui.widgets.prompt import Prompt

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from agent.commands.results import Picker, Show
    from tui.screens.keys import KeysScreen
    from tui.screens.sessions import SessionScreen
    from tui.screens.settings import SettingsScreen
    from tui.screens.themes import ThemeScreen
    from tui.setup import Setup
    from tui.stage import Stage


_MODELS = "/model "


class Overlaid(Keyed):
    """Derive, and say where lines go that were chosen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+p", "palette", "All commands", id="palette", priority=True),
        Binding("f1", "help", "All keys", id="help", priority=True),
        Binding("question_mark", "help", "All keys, while nothing is typed", id="help-idle"),
    ]
    ink: Ink
    begun = False
    """Something was typed, or is to be sent: whoever begins by themselves is not asked for a model."""
    _offer: Setup | None = None

    @property
    @abstractmethod
    def stage(self) -> Stage | None: ...

    @abstractmethod
    def write(self, text: str) -> None:
        """At the prompt, where the keys go then."""

    @abstractmethod
    def wear(self, palette: Palette) -> None: ...

    def pick(self, picker: Picker) -> None:
        """A choice that a command offers; choosing is the same as typing its line."""
        from tui.screens.picker import PickerScreen
        from tui.screens.rows import Row

        rows = [Row(each.line, each.label, each.detail, each.current) for each in picker.options]
        if picker.topic == "sessions":
            from tui.screens.sessions import SessionScreen

            self.push_screen(SessionScreen(self.ink, "Sessions of this folder", rows), self._picked)
            return
        if picker.stem == _MODELS:
            rows.append(Row("/setup", "Another provider, or its key", "leads there step by step"))
        self.push_screen(PickerScreen(self.ink, picker.title, rows, picker.stem or None), self._picked)

    def show_screen(self, wanted: Show) -> None:
        stage = self.stage
        if stage is None:
            return
        match wanted.screen:
            case "theme" if wanted.subject:
                stage.start(self._take_theme(stage, wanted.subject))
            case "theme":
                stage.start(self._choose_theme(stage, self._take_theme))
            case "settings":
                stage.start(self._show_settings(stage))
            case "setup":
                stage.start(self._set_up(stage))
            case "keys":
                stage.start(self.action_help())

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """What lies over the screen has the keys, and those that come first go first there too."""
        del action, parameters
        return not self.screen.is_modal

    async def action_palette(self) -> None:
        """Awaited, so that what is typed behind the key arrives in the list."""
        from tui.bindings import bindings_of
        from tui.screens.palette import PaletteScreen, action_rows, command_rows

        commands = self.stage.context.registry if self.stage else ()
        keys = {each.id: key_for(self, each.id) for each in bindings_of(type(self)) if each.id}
        actions = action_rows(bindings_of(type(self)), keys)
        await self.push_screen(PaletteScreen(self.ink, command_rows(commands, keys), actions), self._picked)

    async def action_help(self) -> None:
        from tui.keyboard import all_bound
        from tui.screens.keys import KeysScreen

        commands = list(self.stage.context.registry) if self.stage else []
        await self.push_screen(KeysScreen(self.ink, all_bound(self.keymap), commands), self._picked)

    async def on_event(self, event: events.Event) -> None:
        """A letter goes to where it is typed before it is a key, so this one is met on its way there."""
        if isinstance(event, events.Key) and not event.is_forwarded and self._helps(event.key):
            await self.action_help()
        else:
            await super().on_event(event)

    def _helps(self, key: str) -> bool:
        nothing = isinstance(self.focused, Prompt) and not self.focused.text
        return nothing and written(key) in key_for(self, "help-idle").split(",")

    async def check_keys(self, stage: Stage) -> None:
        """Once there is somewhere to say it: what is wrong with the keys the user chose."""
        if not self.keymap:
            return
        from tui.keyboard import check

        checked = check(self.keymap)
        self.wear_keys(checked.keymap)
        for problem in checked.problems:
            origin = stage.opened.loaded.origin(("keys", problem.name))
            stage.say(f"{origin}: {problem}", "waiting")

    async def check_theme(self, stage: Stage) -> None:
        """The first frame had to do without a theme that is missing or wrong."""
        from tui.appearance import wished_theme
        from tui.theme import theme_problem, user_folder

        opening = stage.opened.opening
        name = wished_theme(opening.paths, opening.environment, opening.assignments)
        if found := theme_problem(name, user_folder(opening.paths)):
            stage.say(found, "waiting")

    async def on_keys_screen_rebound(self, message: KeysScreen.Rebound) -> None:
        if self.stage:
            self.stage.start(self._rebind(self.stage, message.screen, message.name, message.key))

    async def _rebind(self, stage: Stage, screen: KeysScreen, name: str, key: str) -> None:
        from agent.config.edit import EditError
        from agent.config.errors import ConfigError
        from tui.keeping import keep
        from tui.keyboard import all_bound, check

        checked = check({**self.keymap, name: key})
        mine = [each for each in checked.problems if each.name == name or f" {name} (" in each.text]
        note = str(mine[0]) if mine else ""
        if name in checked.keymap:
            try:
                note = await keep(stage.opened, ("keys", name), key) or note
                self.wear_keys(checked.keymap)
            except (ConfigError, EditError) as error:
                note = str(error)
        screen.show(all_bound(self.keymap), note)

    def on_theme_screen_tried(self, message: ThemeScreen.Tried) -> None:
        self.wear(message.palette)

    def on_session_screen_looked(self, message: SessionScreen.Looked) -> None:
        from tui.browsing import look

        if self.stage:
            self.stage.start(look(self.stage, message, unicode=not self.ink.glyphs.ascii))

    def on_session_screen_deleted(self, message: SessionScreen.Deleted) -> None:
        from tui.browsing import delete

        if self.stage:
            self.stage.start(delete(self.stage, message))

    def on_session_screen_renamed(self, message: SessionScreen.Renamed) -> None:
        from tui.browsing import rename

        if self.stage:
            self.stage.start(rename(self.stage, message))

    async def _picked(self, value: str | None) -> None:
        """A line to run, one that wants more words behind it, or something the app does."""
        if not value:
            return
        if not value.startswith("/"):
            await self.run_action(value)
        elif value.endswith(" "):
            self.write(value)
        elif self.stage:
            self.stage.submit(value)

    async def _show_settings(self, stage: Stage) -> None:
        from tui.keeping import reread
        from tui.screens.settings import SettingsScreen, all_shown

        loaded = await asyncio.to_thread(reread, stage.opened)
        await self.push_screen(SettingsScreen(self.ink, all_shown(loaded)))

    def on_settings_screen_changed(self, message: SettingsScreen.Changed) -> None:
        if self.stage:
            self.stage.start(self._change_setting(self.stage, message))

    def on_settings_screen_theme_asked(self, message: SettingsScreen.ThemeAsked) -> None:
        from tui.screens.settings import THEME, SettingsScreen

        def take(stage: Stage, name: str) -> Coroutine[object, object, None]:
            return self._change_setting(stage, SettingsScreen.Changed(message.screen, THEME, name))

        if self.stage:
            self.stage.start(self._choose_theme(self.stage, take))

    async def _change_setting(self, stage: Stage, wanted: SettingsScreen.Changed) -> None:
        from agent.config.edit import EditError, format_key
        from agent.config.errors import ConfigError
        from tui.keeping import keep, reread, restore
        from tui.screens.settings import all_shown

        path, raw = wanted.path, wanted.raw
        try:
            hidden = await (restore(stage.opened, path) if raw is None else keep(stage.opened, path, raw))
            done = "its default again" if raw is None else "saved"
            note = f"{format_key(path)}: {hidden or done + self._taken_up(stage, wanted)}"
            failed = bool(hidden)
        except (ConfigError, EditError) as error:
            note, failed = str(error), True
        loaded = await asyncio.to_thread(reread, stage.opened)
        wanted.screen.show(all_shown(loaded), note, failed=failed)

    def _taken_up(self, stage: Stage, wanted: SettingsScreen.Changed) -> str:
        """What is seen of it at once; most settings are read when a session begins."""
        from tui.appearance import wished_palette
        from tui.keyboard import check

        opening = stage.opened.opening
        match wanted.path:
            case ("ui", "theme"):
                # One that was chosen is worn already.
                if wanted.raw is None:
                    self.wear(wished_palette(opening.paths, opening.environment, opening.assignments))
                return ""
            case ("keys", name):
                checked = check(wished_keys(opening.paths, opening.assignments))
                self.wear_keys(checked.keymap)
                return "".join(f"; {each.text}" for each in checked.problems if each.name == name)
            case _:
                return ", for new sessions"

    async def _set_up(self, stage: Stage) -> None:
        from tui.setup import Setup

        await Setup(self, self.ink, stage).run()

    def on_text_area_changed(self, message: Prompt.Changed) -> None:
        """Nothing else has a text area than the prompt."""
        del message
        self.begun = True
        if self._offer:
            self._offer.give_way()

    async def receive(self, stage: Stage) -> None:
        """At somebody's first start, where no model was named, the choice of one comes by itself, once."""
        opening = stage.opened.opening
        continued = opening.proceed != "new" or opening.resume is not None
        if stage.opened.workshop.chosen.named or continued or self.begun:
            return
        from tui.newcomer import is_new

        if is_new(opening.paths.state_folder):
            from tui.setup import Setup

            self._offer = Setup(self, self.ink, stage, first=True)
            await self._offer.run()

    async def _choose_theme(
        self, stage: Stage, take: Callable[[Stage, str], Coroutine[object, object, None]]
    ) -> None:
        from tui.screens.themes import ThemeScreen, offers

        before, opening = self.ink.palette, stage.opened.opening
        found = await asyncio.to_thread(offers, opening.paths, opening.environment)

        def chosen(name: str | None) -> None:
            if name is None:
                self.wear(before)
            else:
                stage.start(take(stage, name))

        await self.push_screen(ThemeScreen(self.ink, found, before.title), chosen)

    async def _take_theme(self, stage: Stage, name: str) -> None:
        from agent.config.edit import EditError
        from agent.config.errors import ConfigError
        from tui.appearance import palette_named
        from tui.keeping import keep

        opening = stage.opened.opening
        try:
            self.wear(palette_named(name, opening.paths, opening.environment))
            hidden = await keep(stage.opened, ("ui", "theme"), name)
        except (ConfigError, EditError) as error:
            stage.say(str(error), "bad")
        else:
            plain = "NO_COLOR is set, so there are no colours" if opening.environment.get("NO_COLOR") else ""
            stage.say("; ".join(note for note in (f"the theme is {name}", plain, hidden) if note), "good")
