"""The app with a scene in the place of a session: nothing in it moves, so that it can be compared."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from textual import work

import tui.app
from agent.commands.registry import Completion
from agent.events import Choice, Event, Failed, Notice, QuestionAsked, ToolFinished, ToolStarted
from store.records import Progress, Spent, Todo
from tests.agent.openings import opening
from tests.tui.app.stories import EDIT, FOUND
from tests.tui.plan.plans import NOW, todo
from tui.app import WakefulApp
from tui.plan.listing import PlanList
from tui.status import Status
from tui.theme import load_theme
from tui.transcript.entries import AssistantText, Body, Printed, Reasoning, UserMessage
from tui.transcript.feed import Feed
from tui.transcript.ink import Glyphs, Ink
from tui.welcome import welcome
from tui.widgets.activity import Activity
from tui.widgets.footer import Place
from tui.widgets.queue import QueueView

MOMENT = 1_000.0
IDLE = Status(
    "dormant", "nothing open", "type to continue", 0, 25, "anthropic/claude-sonnet-4-5", "build", 0.0
)
BUSY = replace(
    IDLE,
    state="running",
    reason="",
    resume="",
    wakes=2,
    cost=0.42,
    context=46_000,
    context_limit=200_000,
    since=MOMENT - 12,
    active=((7, "shell python -m pytest -q"),),
)
PLACE = Place("~/shop", "main", "ask", 2.0)
# In the order of the service: what is open, then what was finished last.
PLAN = (
    todo(4, "Fix the race", status="in_progress", priority="high", spent=Spent(milliseconds=125_000)),
    todo(5, "Add a regression test", depends_on=(4,)),
    todo(6, "Look for the same mistake elsewhere", priority="low", parent_id=5),
    todo(
        7,
        "Update the changelog",
        status="blocked",
        blocked_reason="needs the version number",
        blocked_on="human",
    ),
    todo(2, "Run it twenty times", status="completed", completed_at=NOW - 200_000),
    todo(1, "Read the test and what it calls", status="completed", completed_at=NOW - 300_000),
)
DIFF = (
    "--- a/app/session.py\n+++ b/app/session.py\n@@ -10,5 +10,2 @@\n"
    + "".join(f"-{line}\n" for line in EDIT["old"].splitlines())
    + "".join(f"+{line}\n" for line in EDIT["new"].splitlines())
)
ASKED = QuestionAsked(
    "q1",
    "permission",
    "edit app/session.py",
    (
        Choice("once", "Yes, once", "y"),
        Choice("session", "Yes, for this session: edit app/**", "s"),
        Choice("always", "Yes, always here: edit app/**", "a"),
        Choice("no", "No, and say why", "n", text=True),
    ),
    "",
    "edit",
    DIFF,
    "c8",
)


@dataclass(frozen=True)
class Scene:
    status: Status = IDLE
    title: str = ""
    said: tuple[Body, ...] = ()
    heard: tuple[Event, ...] = ()
    todos: tuple[Todo, ...] = ()
    question: QuestionAsked | None = None
    draft: str = ""
    greeting: Printed | None = None
    offered: tuple[Completion, ...] = ()
    waiting: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())


class StillApp(WakefulApp):
    CSS_PATH = Path(tui.app.__file__).with_name("styles.tcss")

    def __init__(
        self, folder: Path, scene: Scene, theme: str = "wakeful", glyphs: Glyphs | None = None
    ) -> None:
        super().__init__(opening(folder), Ink(load_theme(theme), glyphs or Glyphs()))
        self._scene = scene
        self.played = asyncio.Event()

    @work(exclusive=True, exit_on_error=False)
    async def sit(self) -> None:
        self.furnish()
        self.call_after_refresh(self._play)

    def _play(self) -> None:
        scene, feed = self._scene, Feed(self.transcript)
        self.prompt.cursor_blink = False
        self.query_one(Activity).clock = lambda: MOMENT
        self.query_one(PlanList).clock = lambda: NOW
        self.show_title(scene.title)
        feed.add(*scene.said)
        for event in scene.heard:
            feed.show(event)
        done = sum(each.status == "completed" for each in scene.todos)
        self.show_plan(scene.todos, Progress(done, len(scene.todos)))
        self.show_status(scene.status, PLACE)
        self.show_question(scene.question)
        self.prompt.put(scene.draft)
        if scene.greeting:
            feed.greet(scene.greeting)
        self.prompt.offer(scene.draft, scene.offered)
        self.prompt.queued = any(scene.waiting)
        self.query_one(QueueView).show(*scene.waiting, "up edits  alt+q all")
        self.played.set()


def ran(part: int, name: str, title: str, output: str, took: int, **metadata: Any) -> tuple[Event, Event]:
    return (
        ToolStarted(1, part, f"c{part}", name, {}, title),
        ToolFinished(1, part, f"c{part}", name, "completed", output, took, title, metadata),
    )


ASK = UserMessage("find why test_login fails now and then, and fix it")
WORK = (
    *ran(1, "read", "tests/test_login.py", "from app.session import Session\n", 12),
    *ran(2, "shell", "python3 check.py", "20 runs, 3 failed: test_login\n", 3_400, code=0),
)
WORKING = Scene(
    BUSY,
    "find why test_login fails now and then",
    (ASK, AssistantText("I'll look at the test first.")),
    (*WORK, ToolStarted(1, 7, "c7", "shell", {}, "python -m pytest -q")),
    PLAN,
)
FINDING = Scene(
    replace(BUSY, active=()),
    WORKING.title,
    (ASK, Reasoning("The log line reads the clock again. That is the race."), AssistantText(FOUND)),
    ran(3, "edit", "app/session.py", "edited", 40, diff=DIFF),
    PLAN,
)
DONE = tuple(replace(each, status="completed", completed_at=NOW) for each in PLAN)
SCENES: dict[str, Scene] = {
    "empty": Scene(greeting=welcome(unset=False, palette="ctrl+p", keys="f1")),
    "first run": Scene(
        greeting=welcome(unset=True, palette="ctrl+p", keys="f1", told=("this folder is not trusted yet",))
    ),
    "typing": Scene(draft="find why test_login fails now and then,\nand fix it"),
    "commands": Scene(
        draft="/t",
        offered=(
            Completion("/todos", "/todos [FILTER]", "Show the plan, filtered", names=True),
            Completion("/todo", "/todo [VERB …]", "Change the plan", names=True),
            Completion("/theme", "/theme [THEME]", "Choose the colours of the screen", names=True),
        ),
    ),
    "files": Scene(
        draft="look at @s",
        offered=(
            Completion("app/session.py", "session.py", "app", start=9),
            Completion("setup.py", "setup.py", start=9),
        ),
    ),
    "shell": Scene(draft="!git status"),
    "queue": replace(
        WORKING, waiting=(("look at session.py first",), ("then run the linter", "and read the docs"))
    ),
    "working": WORKING,
    "finding": FINDING,
    "waking": replace(
        WORKING,
        status=replace(IDLE, state="idle", reason="", resume="", wakes=2, wakes_at=MOMENT + 3),
        heard=WORK,
    ),
    "waiting": replace(
        WORKING,
        status=replace(
            BUSY,
            state="awaiting_approval",
            reason="waiting for your approval",
            resume="allow or refuse to continue",
            active=(),
        ),
        heard=(*WORK, ToolStarted(1, 8, "c8", "edit", dict(EDIT), "app/session.py"), ASKED),
        question=ASKED,
    ),
    "blocked": replace(
        WORKING,
        status=replace(
            IDLE,
            state="idle",
            reason="#7 is blocked (needs the version number) · 1 open",
            resume="unblock it, or type to continue",
            cause="blocked",
            wakes=3,
        ),
        heard=WORK,
        todos=(PLAN[3], *(each for each in DONE if each.id != 7)),
    ),
    "all done": replace(
        WORKING,
        status=replace(IDLE, wakes=3, cost=0.42),
        heard=(*WORK, Notice("info", "all done · 6/6")),
        todos=DONE,
    ),
    "error": replace(
        WORKING,
        status=replace(
            IDLE, state="idle", reason="the key was refused · 4 open", resume="type or /wake to continue"
        ),
        heard=(
            *WORK,
            Failed("unauthorized", "anthropic refused the key", "wakeful config set-key anthropic"),
        ),
    ),
}
