"""The time of a todo is the time somebody worked on it."""

from pathlib import Path

from agent.models.protocol import Request
from agent.models.scripted import Answer, Scripted, said
from agent.todos.actors import USER
from agent.todos.drafts import Edit
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


async def test_what_the_user_started_is_charged_while_the_agent_works_and_not_between(tmp_path: Path):
    watched = Watched(said("", ("todo_add", {"title": "mine"})), said("planned"), said("done it"))
    async with stage(tmp_path, Scripted(watched), max_wakes=0) as scene:
        watched.scene = scene
        await scene.ask("plan")
        agenda = scene.opened.session.agenda
        await agenda.service.update(USER, [Edit(1, status="in_progress")])
        await scene.ask("go on")

    assert [None if each is None else each.todo_id for each in watched.seen] == [None, None, 1]
    assert agenda.stretch == Stretch(1)


async def test_what_the_agent_claimed_is_charged_before_what_the_user_started(tmp_path: Path):
    items = [{"title": "mine"}, {"title": "its"}]
    start = ("todo_update", {"id": 2, "status": "in_progress"})
    watched = Watched(
        said("", ("todo_add", {"items": items})), said("planned"), said("", start), said("done")
    )
    async with stage(tmp_path, Scripted(watched), max_wakes=0) as scene:
        watched.scene = scene
        await scene.ask("plan")
        await scene.opened.session.agenda.service.update(USER, [Edit(1, status="in_progress")])
        await scene.ask("go on")

    assert [None if each is None else each.todo_id for each in watched.seen[2:]] == [1, 2]
