"""The first request of a session: which tools it offers, how long it is, and what is told on first use."""

from __future__ import annotations

from pathlib import Path

from agent.models.body import encode
from agent.models.scripted import Scripted, said
from agent.todos.actors import USER
from tests.agent.openings import stage

PLAN = ("artifact_create", {"title": "Ship it", "type": "plan", "content": "1. build\n2. announce"})


async def test_the_first_request_of_build_has_all_tools_in_nine_kilobytes(tmp_path: Path) -> None:
    async with stage(tmp_path, Scripted([said("hello")])) as scene:
        await scene.ask("hello")

    request = scene.model.requests[0]
    size = len(encode(request, "scripted"))
    print(f"first request: {size} bytes")
    assert size <= 9_000
    assert {"todo_add", "artifact_list", "artifact_get", "artifact_stage"} <= {
        each.name for each in request.tools
    }


async def test_after_a_compaction_build_can_open_the_artifacts_it_is_told_of(tmp_path: Path) -> None:
    answers = [
        said("", PLAN),
        said("kept"),
        said("THE SUMMARY"),
        said("", ("artifact_get", {"id": 1})),
        said("ok"),
    ]
    model = Scripted(answers)
    async with stage(tmp_path, model) as scene:
        await scene.ask("plan it")
        await scene.opened.session.compact("")
        await scene.ask("go on")

    told = str(model.requests[3].messages)
    assert "1 'Ship it' (plan, draft, version 1)" in told
    assert "artifact_list shows all of them, artifact_get their text" in told
    assert "2. announce" in str(model.requests[4].messages[-1].get("content"))


async def test_the_longer_guidance_comes_once_with_the_first_result(tmp_path: Path) -> None:
    calls = [
        ("todo_add", {"title": "one"}),
        ("todo_update", {"id": 1, "status": "in_progress"}),
        ("todo_add", {"title": "two", "scope": "workspace", "check": "true"}),
        ("todo_complete", {"id": 1}),
        PLAN,
        ("artifact_list", {"type": "plan"}),
    ]
    model = Scripted([*(said("", call) for call in calls), said("done")])
    async with stage(tmp_path, model, max_wakes=0) as scene:
        await scene.ask("work")
        await scene.opened.session.agenda.service.complete(USER, [2])

    results = [str(each.get("content")) for each in model.requests[-1].messages if each["role"] == "tool"]
    assert ["More fields of todo_add" in result for result in results] == [True, *[False] * 5]
    assert ["More arguments, if needed: artifact" in result for result in results] == [
        *[False] * 4,
        True,
        False,
    ]
    assert all(request.tools == model.requests[0].tools for request in model.requests)
