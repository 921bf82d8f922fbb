"""What goes on beside the conversation: subagents and commands in the background."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from agent.events import Event, TaskFinished, TaskProgress, TaskStarted, TurnStarted
from agent.tools.tool import Job
from store.clock import short
from store.frozen import frozen
from tui.plan.drawing import words
from tui.transcript.ink import Ink
from tui.transcript.wrapping import Run
from tui.widgets.drawn import Drawn, cut, spread

MOST = 5


@frozen
class Child:
    """A subagent; `status` is empty while it works."""

    id: str
    agent: str
    title: str
    calls: int = 0
    status: str = ""


@frozen
class Work:
    children: tuple[Child, ...] = ()
    jobs: tuple[Job, ...] = ()

    def heard(self, event: Event) -> Work:
        match event:
            case TaskStarted():
                return replace(self, children=(*self.children, Child(event.child, event.agent, event.title)))
            case TaskProgress():
                return self._changed(event.child, calls=event.calls)
            case TaskFinished():
                return self._changed(event.child, status=event.status)
            case TurnStarted():
                # What has ended was seen by now.
                return replace(self, children=tuple(each for each in self.children if not each.status))
            case _:
                return self

    def running(self, jobs: Sequence[Job]) -> Work:
        return replace(self, jobs=tuple(job for job in jobs if job.code is None))

    def _changed(self, child: str, **changes: object) -> Work:
        return replace(
            self,
            children=tuple(
                replace(each, **changes) if each.id == child else each  # type: ignore[arg-type]  # fields of Child
                for each in self.children
            ),
        )


class WorkPanel(Drawn):
    """As high as what it shows; not there at all when nothing goes on."""

    FILL = "panel"

    def __init__(self, ink: Ink) -> None:
        super().__init__(ink, id="plan-work")
        self._work = Work()

    def on_mount(self) -> None:
        self.display = False

    def show(self, work: Work) -> None:
        if work != self._work:
            before, self._work = self._lines(), work
            self.display = bool(self._lines())
            self.refresh(layout=self._lines() != before)

    def rows(self, width: int) -> Sequence[Sequence[Run]]:
        return work_rows(self._work, width, self.ink)

    def get_content_height(self, container: object, viewport: object, width: int) -> int:
        del container, viewport, width
        return self._lines()

    def _lines(self) -> int:
        return len(work_rows(self._work, 40, self.ink))


def work_rows(work: Work, width: int, ink: Ink) -> list[list[Run]]:
    dim, text = ink.style("dim", "panel"), ink.style("text", "panel")
    rows: list[list[Run]] = []
    for title, lines in (
        ("Agents", [_child(each, ink) for each in work.children]),
        ("Background", [_job(each, ink) for each in work.jobs]),
    ):
        if not lines:
            continue
        rows += [[], [(f" {title}", ink.style("heading", "panel", "bold"))]]
        # The newest are those one looks for.
        for mark, name, right in lines[-MOST:]:
            left = [(" ", text), mark, (f" {name}", text)]
            room = max(1, width - len(right) - 2)
            rows.append(spread(cut(left, room, ink), [(f"{right} ", dim)], width, ink, "panel"))
        if len(lines) > MOST:
            rows.append(cut([(f"   and {len(lines) - MOST} more", dim)], width, ink))
    return rows


def _child(child: Child, ink: Ink) -> tuple[Run, str, str]:
    glyphs = ink.glyphs
    marks = {
        "": (glyphs.running, "accent"),
        "completed": (glyphs.done, "ok"),
        "failed": (glyphs.failed, "error"),
        "interrupted": (glyphs.minus, "dim"),
    }
    sign, role = marks[child.status]
    calls = f"{child.calls} tools" if child.calls != 1 else "1 tool"
    return (sign, ink.style(role, "panel")), f"{words(child.agent, ink)}  {words(child.title, ink)}", calls


def _job(job: Job, ink: Ink) -> tuple[Run, str, str]:
    mark = (ink.glyphs.running, ink.style("accent", "panel"))
    return mark, words(job.command, ink), short(int(job.seconds * 1000))
