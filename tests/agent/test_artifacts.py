from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest

from agent.artifacts import LONGEST, ArtifactError, ArtifactService
from agent.events import ArtifactUpdated, TodoUpdated
from agent.todos.actors import USER, Actor
from agent.todos.drafts import Draft, Edit
from agent.todos.errors import AccessError, TodoError
from agent.todos.service import TodoService
from store import changes, sessions
from store.database import Store, open_store
from store.records import Artifact, Session, Todo

AGENT = Actor("agent:build")
PLANNER = Actor("agent:plan", "readonly-shell")
GUEST = Actor("agent:guest", "minimal")

PLAN = "# Auth\n\n1. Create the model\n   - fields\n   - tests\n2. Add login\n"


class Desk:
    """One session with its two services and all that they published."""

    def __init__(self, store: Store, session_id: str | None) -> None:
        self.events: list[ArtifactUpdated | TodoUpdated] = []
        self.todos = TodoService(store, "/project", session_id, self.events.append)
        self.artifacts = ArtifactService(store, "/project", session_id, self.todos, self.events.append)

    async def plan(self, content: str = PLAN, actor: Actor = AGENT) -> Artifact:
        return await self.artifacts.create(actor, "Auth plan", "plan", content)

    async def titles(self) -> list[str]:
        return [todo.title for todo in (await self.todos.current()).todos]


@pytest.fixture
async def desk(store: Store, session: Session) -> Desk:
    return Desk(store, session.id)


def family(todos: Sequence[Todo]) -> list[tuple[str, str | None]]:
    names = {todo.id: todo.title for todo in todos}
    return [(todo.title, names.get(todo.parent_id or 0)) for todo in todos]


async def test_an_artifact_is_created_revised_read_and_listed(desk: Desk):
    plan = await desk.plan("one")
    code = await desk.artifacts.create(AGENT, "Code", "code", "x = 1")

    second = await desk.artifacts.update(AGENT, plan.id, "two", title="Better")

    assert (second.title, second.content, second.version) == ("Better", "two", 2)
    assert (await desk.artifacts.get(plan.id, 1)).content == "one"
    assert await desk.artifacts.list() == (second, code)
    assert await desk.artifacts.list(kind="code") == (code,)
    assert await desk.artifacts.list(stage="final") == ()
    assert [event.change for event in desk.events if isinstance(event, ArtifactUpdated)] == [
        "created",
        "created",
        "updated",
    ]


async def test_an_update_that_changes_nothing_makes_no_version(desk: Desk):
    plan = await desk.plan("one")
    desk.events.clear()

    assert await desk.artifacts.update(AGENT, plan.id, "one", title="Auth plan") == plan
    assert desk.events == []
    renamed = await desk.artifacts.update(AGENT, plan.id, title="Other")
    assert (renamed.version, renamed.title) == (1, "Other")


async def test_an_update_of_another_version_than_the_present_is_refused(desk: Desk):
    plan = await desk.plan("one")
    await desk.artifacts.update(USER, plan.id, "two")

    with pytest.raises(ArtifactError, match="at version 2 now, not 1"):
        await desk.artifacts.update(AGENT, plan.id, "mine", version=1)

    assert (await desk.artifacts.get(plan.id)).content == "two"


async def test_an_unknown_artifact_or_version_answers_with_those_that_exist(desk: Desk):
    with pytest.raises(ArtifactError, match="there is none yet"):
        await desk.artifacts.get(7)
    plan = await desk.plan()

    with pytest.raises(ArtifactError, match=f"there are: {plan.id} Auth plan"):
        await desk.artifacts.delete(AGENT, 99)
    with pytest.raises(ArtifactError, match="there are 1 to 1"):
        await desk.artifacts.get(plan.id, 2)


@pytest.mark.parametrize(
    ("title", "content"),
    [("", "x"), (" ", "x"), ("t" * 201, "x"), ("a\nb", "x"), ("a", "\0"), ("a", "x" * (LONGEST + 1))],
)
async def test_a_title_or_text_that_cannot_be_kept_is_refused(desk: Desk, title: str, content: str):
    with pytest.raises((ArtifactError, TodoError)):
        await desk.artifacts.create(AGENT, title, "plan", content)

    assert await desk.artifacts.list() == ()


async def test_artifacts_of_other_sessions_and_tenants_are_out_of_reach(store: Store, desk: Desk):
    other = await store.write(sessions.create, "/project", agent="build", model="offline")
    plan = await desk.plan()
    shared = await desk.artifacts.create(AGENT, "Shared", "document", "x", workspace_wide=True)
    neighbour = Desk(store, other.id).artifacts
    guest = Desk(store.for_tenant("guest"), None).artifacts

    assert await neighbour.list() == (shared,)
    assert await guest.list() == ()
    for foreign in (neighbour, guest):
        for attempt in (
            foreign.get(plan.id),
            foreign.get(plan.id, 1),
            foreign.update(USER, plan.id, "x"),
            foreign.stage(USER, plan.id, "final"),
            foreign.preview(plan.id),
            foreign.delete(USER, plan.id),
        ):
            with pytest.raises(ArtifactError, match=f"no artifact {plan.id}"):
                await attempt
    assert await desk.artifacts.list() == (plan, shared)


async def test_access_levels_hold_for_artifacts(desk: Desk):
    plan = await desk.plan(actor=PLANNER)

    await desk.artifacts.update(PLANNER, plan.id, PLAN + "3. Document\n")
    await desk.artifacts.stage(PLANNER, plan.id, "final")
    with pytest.raises(AccessError, match="may not delete"):
        await desk.artifacts.delete(PLANNER, plan.id)

    for attempt in (
        desk.plan(actor=GUEST),
        desk.artifacts.update(GUEST, plan.id, "x"),
        desk.artifacts.stage(GUEST, plan.id, "draft"),
        desk.artifacts.delete(GUEST, plan.id),
    ):
        with pytest.raises(AccessError, match="may list and read"):
            await attempt
    assert (await desk.artifacts.get(plan.id)).stage == "final"


async def test_a_final_plan_becomes_linked_todos_with_subtasks(desk: Desk):
    plan = await desk.plan()
    desk.events.clear()

    staged = await desk.artifacts.stage(AGENT, plan.id, "final")

    assert staged.artifact.stage == "final"
    assert family(staged.todos) == [
        ("Create the model", None),
        ("fields", "Create the model"),
        ("tests", "Create the model"),
        ("Add login", None),
    ]
    assert {todo.artifact_id for todo in staged.todos} == {plan.id}
    assert {todo.created_by for todo in staged.todos} == {"agent:build"}
    artifact_event, todo_event = desk.events
    assert isinstance(artifact_event, ArtifactUpdated)
    assert (artifact_event.artifact, artifact_event.change) == (staged.artifact, "staged")
    assert isinstance(todo_event, TodoUpdated)
    assert todo_event.change is not None
    assert (todo_event.change.kind, len(todo_event.todos)) == ("todo.added", 4)


async def test_other_stages_and_other_types_make_no_todos(desk: Desk):
    plan = await desk.plan()
    notes = await desk.artifacts.create(AGENT, "Notes", "document", PLAN)

    await desk.artifacts.stage(AGENT, plan.id, "review")
    await desk.artifacts.stage(AGENT, notes.id, "final")

    assert await desk.titles() == []
    with pytest.raises(ArtifactError, match="only a plan has steps"):
        await desk.artifacts.preview(notes.id)


async def test_the_same_text_becomes_todos_once(desk: Desk):
    plan = await desk.plan()
    await desk.artifacts.stage(AGENT, plan.id, "final")
    desk.events.clear()

    again = await desk.artifacts.stage(AGENT, plan.id, "final")
    assert desk.events == []
    await desk.artifacts.stage(AGENT, plan.id, "draft")
    third = await desk.artifacts.stage(AGENT, plan.id, "final")

    assert (again.todos, third.todos) == ((), ())
    assert third.preview is not None
    assert third.preview.known
    assert len(await desk.titles()) == 4
    assert not any(isinstance(event, TodoUpdated) for event in desk.events)


async def test_a_text_that_comes_back_adds_nothing_even_when_its_todos_are_gone(desk: Desk):
    plan = await desk.plan("- a\n- b\n")
    await desk.artifacts.stage(AGENT, plan.id, "final")
    await desk.artifacts.update(AGENT, plan.id, "- c\n")
    await desk.artifacts.stage(AGENT, plan.id, "final")
    await desk.todos.delete_all(USER)

    await desk.artifacts.update(AGENT, plan.id, "- a\r\n- b")
    staged = await desk.artifacts.stage(AGENT, plan.id, "final")

    assert (staged.artifact.stage, staged.todos) == ("final", ())


async def test_a_changed_plan_adds_only_its_new_steps_where_they_belong(desk: Desk):
    plan = await desk.plan()
    first = await desk.artifacts.stage(AGENT, plan.id, "final")
    model = first.todos[0]
    await desk.todos.delete(USER, [first.todos[3].id])

    await desk.artifacts.update(
        AGENT, plan.id, PLAN.replace("   - tests\n", "   - tests\n   - docs\n") + "3. Ship\n"
    )
    staged = await desk.artifacts.stage(AGENT, plan.id, "final")

    assert [(todo.title, todo.parent_id) for todo in staged.todos] == [("docs", model.id), ("Ship", None)]


async def test_a_new_step_below_one_that_is_gone_stands_alone(desk: Desk):
    plan = await desk.plan("- a\n")
    first = await desk.artifacts.stage(AGENT, plan.id, "final")
    await desk.todos.delete(USER, [first.todos[0].id])

    await desk.artifacts.update(AGENT, plan.id, "- a\n  - b\n")
    staged = await desk.artifacts.stage(AGENT, plan.id, "final")

    assert [(todo.title, todo.parent_id) for todo in staged.todos] == [("b", None)]


async def test_a_preview_saves_nothing_and_may_be_edited_before_it_is_saved(desk: Desk):
    plan = await desk.plan()
    preview = await desk.artifacts.preview(plan.id)
    assert await desk.titles() == []
    assert [draft.title for draft in preview.drafts] == ["Create the model", "Add login"]

    edited = replace(preview, drafts=(Draft("My own", priority="high"), preview.drafts[1]))
    staged = await desk.artifacts.stage(USER, plan.id, "final", preview=edited)

    assert [(todo.title, todo.priority) for todo in staged.todos] == [
        ("My own", "high"),
        ("Add login", "medium"),
    ]
    assert (await desk.artifacts.stage(USER, plan.id, "final")).todos == ()
    with pytest.raises(ArtifactError, match="changed meanwhile"):
        await desk.artifacts.stage(USER, plan.id, "final", preview=edited)
    assert len(await desk.titles()) == 2


async def test_a_preview_of_an_older_text_is_refused(desk: Desk):
    plan = await desk.plan()
    preview = await desk.artifacts.preview(plan.id)
    await desk.artifacts.update(AGENT, plan.id, "- other")

    with pytest.raises(ArtifactError, match="changed meanwhile"):
        await desk.artifacts.stage(USER, plan.id, "final", preview=preview)

    assert await desk.titles() == []


async def test_who_wants_none_of_the_steps_is_not_given_them_later(desk: Desk):
    plan = await desk.plan()
    preview = await desk.artifacts.preview(plan.id)

    await desk.artifacts.stage(USER, plan.id, "final", preview=replace(preview, drafts=()))
    await desk.artifacts.stage(AGENT, plan.id, "final")

    assert await desk.titles() == []


async def test_a_plan_without_a_list_becomes_final_and_says_so(desk: Desk):
    plan = await desk.plan("Build it, then ship it.")

    staged = await desk.artifacts.stage(AGENT, plan.id, "final")
    again = await desk.artifacts.stage(AGENT, plan.id, "final")

    assert (staged.artifact.stage, staged.todos) == ("final", ())
    assert staged.preview is not None
    assert staged.preview.listless
    assert again.preview == staged.preview


async def test_steps_marked_as_done_are_completed_only_by_those_who_may(desk: Desk):
    plan = await desk.plan("- [x] a\n- b\n  - [x] c\n")

    staged = await desk.artifacts.stage(PLANNER, plan.id, "final")

    assert {todo.status for todo in staged.todos} == {"pending"}
    assert "may not complete" in staged.warnings[0]
    other = await desk.plan("- [x] a\n- b\n  - [x] c\n")
    full = await desk.artifacts.stage(AGENT, other.id, "final")
    assert [todo.status for todo in full.todos] == ["completed", "pending", "completed"]
    assert full.warnings == ()


async def test_a_plan_whose_todos_are_refused_stays_as_it_was(store: Store, desk: Desk):
    plan = await desk.plan()
    before = await store.read(changes.newest)

    with pytest.raises(TodoError, match="no sprint 99"):
        await desk.artifacts.stage(AGENT, plan.id, "final", sprint_id=99)

    assert await store.read(changes.newest) == before
    assert await desk.artifacts.get(plan.id) == plan
    assert len((await desk.artifacts.stage(AGENT, plan.id, "final")).todos) == 4


async def test_a_plan_finalised_in_many_places_at_once_becomes_todos_once(store: Store, desk: Desk):
    plan = await desk.plan()
    async with open_store(store.path) as second:
        windows = [desk, Desk(store, desk.artifacts.session_id), Desk(second, desk.artifacts.session_id)]

        done = await asyncio.gather(*(each.artifacts.stage(AGENT, plan.id, "final") for each in windows))

    assert sorted(len(staged.todos) for staged in done) == [0, 0, 4]
    assert len(await desk.titles()) == 4


async def test_deleting_an_artifact_unlinks_its_todos_and_moves_the_list_on(store: Store, desk: Desk):
    plan = await desk.plan()
    await desk.artifacts.stage(AGENT, plan.id, "final")
    before = await desk.todos.current()
    desk.events.clear()

    await desk.artifacts.delete(AGENT, plan.id)

    after = await desk.todos.current()
    assert {todo.artifact_id for todo in after.todos} == {None}
    assert after.revision > before.revision
    artifact_event, todo_event = desk.events
    assert artifact_event == ArtifactUpdated(None, plan.id, "deleted")
    assert isinstance(todo_event, TodoUpdated)
    assert todo_event.change is not None
    assert (todo_event.change.kind, todo_event.revision) == ("todo.unlinked", after.revision)
    with pytest.raises(ArtifactError, match=f"no artifact {plan.id}"):
        await desk.artifacts.get(plan.id)


async def test_every_list_that_lost_a_link_gets_a_revision_of_its_own(store: Store, desk: Desk):
    other = Desk(store, (await store.write(sessions.create, "/project", agent="build", model="offline")).id)
    shared = await desk.artifacts.create(AGENT, "Shared", "plan", "- a", workspace_wide=True)
    await other.todos.add(USER, [Draft("theirs", artifact_id=shared.id)])
    await desk.todos.add(USER, [Draft("mine", artifact_id=shared.id)])
    await desk.todos.add(USER, [Draft("ours", artifact_id=shared.id, workspace_wide=True)])

    await desk.artifacts.delete(USER, shared.id)
    await other.todos.refresh()

    assert {todo.title: todo.artifact_id for todo in other.todos.snapshot.todos} == {
        "theirs": None,
        "ours": None,
    }
    assert {todo.title: todo.artifact_id for todo in desk.todos.snapshot.todos} == {
        "mine": None,
        "ours": None,
    }


async def test_undo_passes_over_the_loss_of_a_link(desk: Desk):
    plan = await desk.plan("- a\n")
    (todo,) = (await desk.artifacts.stage(AGENT, plan.id, "final")).todos
    await desk.todos.update(USER, [Edit(todo.id, title="b")])
    await desk.artifacts.delete(USER, plan.id)

    await desk.todos.undo(USER)

    (left,) = desk.todos.snapshot.todos
    assert (left.title, left.artifact_id) == ("a", None)
    await desk.todos.undo(USER)
    assert await desk.titles() == []


async def test_what_another_process_did_to_artifacts_is_told(store: Store, desk: Desk):
    plan = await desk.plan()
    gone = await desk.plan()
    seen = await store.read(changes.newest)
    async with open_store(store.path) as second:
        window = Desk(second, desk.artifacts.session_id)
        await window.artifacts.update(USER, plan.id, "two")
        renamed = await window.artifacts.update(USER, plan.id, title="Other")
        await window.artifacts.delete(USER, gone.id)
    desk.events.clear()

    await desk.artifacts.apply_foreign(await store.read(changes.since, seen))

    assert desk.events == [
        ArtifactUpdated(renamed, plan.id, "renamed"),
        ArtifactUpdated(None, gone.id, "deleted"),
    ]
