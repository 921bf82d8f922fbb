"""The part of the app that lies over the rest: lists to choose from, and what becomes of the choice."""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from typing import TYPE_CHECKING, ClassVar

from textual.app import App
from textual.binding import Binding, BindingType

from tui.theme import Palette, user_folder
from tui.transcript.ink import Ink

if TYPE_CHECKING:
    from agent.commands.results import Picker, Show
    from tui.screens.themes import ThemeScreen
    from tui.stage import Stage


class Overlaid(App[int]):
    """Derive, and say where lines go that were chosen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+p", "palette", "All commands", id="palette", priority=True),
    ]
    ink: Ink

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
        self.push_screen(PickerScreen(self.ink, picker.title, rows), self._picked)

    def show_screen(self, wanted: Show) -> None:
        stage = self.stage
        if stage is None:
            return
        match wanted.screen:
            case "theme" if wanted.subject:
                stage.start(self._take_theme(stage, wanted.subject))
            case "theme":
                stage.start(self._choose_theme(stage))

    async def action_palette(self) -> None:
        """Awaited, so that what is typed behind the key arrives in the list."""
        from tui.bindings import bindings_of, written_keys
        from tui.screens.palette import PaletteScreen, action_rows, command_rows

        commands = self.stage.context.registry if self.stage else ()
        keys = written_keys(type(self), {})
        actions = action_rows(bindings_of(type(self)), keys)
        await self.push_screen(PaletteScreen(self.ink, command_rows(commands, keys), actions), self._picked)

    def on_theme_screen_tried(self, message: ThemeScreen.Tried) -> None:
        self.wear(message.palette)

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

    async def _choose_theme(self, stage: Stage) -> None:
        from tui.screens.themes import ThemeScreen, offers

        before = self.ink.palette
        found = await asyncio.to_thread(offers, user_folder(stage.opened.opening.paths))

        def chosen(name: str | None) -> None:
            if name is None:
                self.wear(before)
            else:
                stage.start(self._take_theme(stage, name))

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
