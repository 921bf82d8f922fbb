"""The time of a todo is the time somebody worked on it."""

from pathlib import Path

from agent.models.protocol import Request
from agent.models.scripted import Answer, Scripted, said
from store.records import Stretch
from tests.agent.openings import Stage, stage

START = ("todo_update", {"id": 1, "status": "in_progress"})


class Watched:
    """Notes at each request what is being worked on."""

    def __init__(self, *answers: Answer) -> None:
        self.scene: Stage | None = None
        self.seen: list[Stretch | None] = []
        self._answers = iter(answers)

    def __call__(self, request: Request) -> Answer:
        del request
        assert self.scene is not None
        self.seen.append(self.scene.opened.session.agenda.stretch)
        return next(self._answers)


async def test_the_clock_of_a_todo_runs_during_turns_and_rests_between_them(tmp_path: Path):
    watched = Watched(said("", ("todo_add", {"title": "slow"})), said("", START), said("stop"), said("again"))
    async with stage(tmp_path, Scripted(watched), max_wakes=0) as scene:
        watched.scene = scene
        await scene.ask("work")
        resting = scene.opened.session.agenda.stretch
        await scene.ask("go on")

    assert [None if each is None else each.todo_id for each in watched.seen] == [None, None, 1, 1]
    assert all(each is None or each.since for each in watched.seen)
    assert resting == Stretch(1)
