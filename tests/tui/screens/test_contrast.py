"""Contrast as it is on the screen: every text the app paints, in every theme that chooses its colours."""

from collections.abc import Iterator
from pathlib import Path

from rich.color import Color
from textual.geometry import Region

from tests.tui.app.pilots import running, type_text, until
from tests.tui.test_theme import EXEMPT, luminance
from tui.app import WakefulApp
from tui.indexed import indexed
from tui.theme import Palette, load_theme, theme_names
from tui.transcript.entries import AssistantText, Body, Failure, Notice, Reasoning, ToolCall, UserMessage

CODE = '''```python
import os  # a comment
@cached
class Token(Base):
    """Says when it ends."""
    def expired(self, now: float) -> bool:
        return not self.ends or len(self.text) > 0x1F and now >= 3.5 and None
```'''
DIFF = """--- a/session.py
+++ b/session.py
@@ -1,4 +1,4 @@
 import os  # why
-def fresh(token): return "old", 1, None, len(token)  # asks
+def fresh(token, now): return "new", 2, True, max(token)  # asks twice
 class Token(Base): pass
"""
SAID: tuple[Body, ...] = (
    UserMessage("Why?", "woken by open todos"),
    Reasoning("Because."),
    AssistantText(f"# Head\n\nSome **bold** `code` and [a link](https://example.org).\n\n> quoted\n\n{CODE}"),
    ToolCall("Ran", "pytest", "failed", 812, "1 failed", preview=1),
    ToolCall("Edited", "session.py", "completed", 4, diff=DIFF),
    Notice("wakes 3/25 used", "warning"),
    Notice("idle"),
    Failure("no answer", "try again"),
)
# Lines, bars and marks that carry no words.
_SIGNS = set("─━╸╺│▌▎█░▁▂▃▄▅▆▇▔▕▏•·▸▾…")


def contrast(one: Color, other: Color) -> float:
    darker, lighter = sorted(luminance(each.get_truecolor().hex) for each in (one, other))
    return (lighter + 0.05) / (darker + 0.05)


def painted(app: WakefulApp, region: Region) -> Iterator[tuple[str, Color, Color]]:
    """Every piece of text in a part of the screen with what it is painted in."""
    # Textual has no public way to ask what is on the screen.
    for strip in app.screen._compositor.render_strips()[region.y : region.bottom]:  # pyright: ignore[reportPrivateUsage]
        for text, style, _ in strip.crop(region.x, region.right):
            if style and style.color and style.bgcolor and set(text.strip()) - _SIGNS:
                front, back = (style.bgcolor, style.color) if style.reverse else (style.color, style.bgcolor)
                yield text, front, back


def poor(app: WakefulApp, region: Region) -> dict[str, float]:
    return {
        f"{text.strip()!r} {front.get_truecolor().hex} on {back.get_truecolor().hex}": round(ratio, 2)
        for text, front, back in painted(app, region)
        if (ratio := contrast(front, back)) < 4.5
    }


def palettes() -> Iterator[tuple[str, Palette]]:
    """Each theme as it is, and as a terminal of 256 colours shows it."""
    for name in (name for name in theme_names() if name not in EXEMPT):
        yield name, load_theme(name)
        yield f"{name} in 256", indexed(load_theme(name))


async def test_all_text_on_the_screen_can_be_read_in_every_theme(tmp_path: Path):
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "README.md").write_text("# Demo\n\nA small demo.\n")
    found: dict[str, dict[str, float]] = {}
    async with running(tmp_path, size=(150, 90)) as (app, pilot):
        await until(pilot, lambda: app.stage)
        assert app.stage
        for line in ("/todo add One", "/todo add Two (high)", "/todo start 1", "/todo block 2: waits"):
            await type_text(pilot, line)
            await pilot.press("enter")
        app.stage.feed.add(*SAID)
        await pilot.press("alt+t")
        await pilot.pause()
        for name, palette in palettes():
            app.wear(palette)
            await pilot.pause()
            found[name] = poor(app, Region(0, 0, 150, 90))

    assert {name: pairs for name, pairs in found.items() if pairs} == {}


async def test_all_text_over_the_screen_can_be_read_in_every_theme(tmp_path: Path):
    found: dict[str, dict[str, float]] = {}
    async with running(tmp_path, size=(120, 40)) as (app, pilot):
        await until(pilot, lambda: app.stage)
        for key in ("ctrl+p", "f1"):
            await pilot.press(key)
            for name, palette in palettes():
                app.wear(palette)
                await pilot.pause()
                found[f"{key} {name}"] = poor(app, app.screen.query_one("#picker").region)
            await pilot.press("escape")

    assert {name: pairs for name, pairs in found.items() if pairs} == {}
