"""Paints what changed and nothing below it; Textual renders every widget that the changed rows touch."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from textual._compositor import ChopsUpdate, Compositor, CompositorMap, ReflowResult
from textual.geometry import Region, Size
from textual.screen import Screen
from textual.strip import Strip
from textual.timer import Timer
from textual.widget import Widget

# Seconds between two frames. A timer that is late skips a turn, so that keys may wait for twice as long.
_PERIOD = 1 / 120

_Render = tuple[Region, Region, list[Strip]]


class FrugalCompositor(Compositor):
    """The same screen for less: widgets are opaque, so what is covered need not be drawn."""

    def __init__(self) -> None:
        super().__init__()
        self._wanted: list[Region] = []
        self._cut: list[Strip] = []
        # The map of the last layout, whose sizes the widgets were told.
        self._laid_out: CompositorMap = {}

    def reflow(self, parent: Widget, size: Size) -> ReflowResult:
        """Compare with the last layout.

        Textual rebuilds its map also between two layouts, when a place on the screen is looked up. What
        has changed by then would be in both maps, and no widget would be told of its new size.
        """
        self._full_map = self._laid_out
        result = super().reflow(parent, size)
        self._laid_out = self._full_map
        return result

    def clear(self) -> None:
        super().clear()
        self._laid_out = {}

    def render_partial_update(self) -> ChopsUpdate | None:
        self._wanted = list(self._dirty_regions)
        try:
            return super().render_partial_update()
        finally:
            self._wanted = []

    def _render_chops(
        self, crop: Region, is_rendered_line: Callable[[int], bool]
    ) -> Sequence[Mapping[int, Strip]]:
        try:
            return super()._render_chops(crop, is_rendered_line)
        finally:
            # A line that was not cut keeps itself as what it was cut into, and would only go when garbage
            # is looked for: megabytes of lines that nobody sees any more.
            for strip in self._cut:
                strip._divide_cache.clear()  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
            self._cut.clear()

    def _get_renders(self, crop: Region | None = None) -> Iterable[_Render]:
        screen = self.size.region
        pending = [part for each in self._wanted or [crop or screen] if (part := each.intersection(screen))]
        for widget, (region, clip) in self.visible_widgets.items():
            seen = region.intersection(clip)
            touched = [part for part in pending if part.overlaps(seen)]
            if touched:
                # Whole rows of the widget: a line is only ever cut where a widget begins or ends.
                top = max(seen.y, min(part.y for part in touched))
                bottom = min(seen.bottom, max(part.bottom for part in touched))
                rows = Region(seen.x, top, seen.width, bottom - top)
                strips = widget.render_lines(rows.translate(-region.offset))
                self._cut += strips
                yield rows, rows, strips
                pending = [part for part in pending if not seen.contains_region(part)]
                if not pending:
                    return


class FrugalScreen(Screen[object], inherit_bindings=False):
    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id, classes=classes)
        self._compositor = FrugalCompositor()
        self._frames: Timer | None = None

    @property
    def _update_timer(self) -> Timer:
        if self._frames is None:
            self._frames = self.set_interval(_PERIOD, self._on_timer_update, name="frames", pause=True)
        return self._frames

    def _select_all_in_widget(self, widget: Widget) -> None:
        """Two clicks beside everything mean nothing; Textual would mark all there is."""

    def on_screen_suspend(self) -> None:
        """Something lies over it: whoever types does so there."""
        self.add_class("covered")

    def on_screen_resume(self) -> None:
        self.remove_class("covered")
