"""What a scripted model asks leave for, and how a question comes up."""

from textual.pilot import Pilot

from tests.tui.app.pilots import type_text, until
from tui.app import WakefulApp
from tui.widgets.question import QuestionPanel

EDIT = ("edit", {"path": "calc.py", "old": "return a + b", "new": "return a - b"})
SHELL = ("shell", {"command": "make test"})


async def asked(app: WakefulApp, pilot: Pilot[int], *, grace: float = 0.0) -> None:
    app.query_one(QuestionPanel).grace = grace
    await type_text(pilot, "go")
    await pilot.press("enter")
    await until(pilot, lambda: app.query_one(QuestionPanel).question)
