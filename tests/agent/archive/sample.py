"""A session with something of everything, for whatever reads it whole."""

from collections.abc import Iterable
from dataclasses import replace

from agent.archive.gathering import gather
from agent.archive.records import Archive
from agent.artifacts import ArtifactService
from agent.journal import Journal
from agent.models.assemble import Call
from agent.sprints import SprintService
from agent.todos.actors import USER, Actor
from agent.todos.drafts import Draft, Edit
from agent.todos.service import TodoService
from agent.tools.tool import Attachment
from store import sessions
from store.database import Store
from store.records import Session, Todo, Usage

AGENT = Actor("agent:build")
WORKSPACE = "/project"
PLAN = "1. Create the model\n   - fields\n2. Add login\n"
PICTURE = b"\x89PNG\r\n\x1a\n rather short"


async def filled(store: Store, workspace: str = WORKSPACE) -> Session:
    session = await store.write(sessions.create, workspace, agent="build", model="openai/x", max_cost=2.0)
    await store.write(sessions.rename, session.id, "fix the login")
    await _talk(Journal(store, session.id, agent="build", model="openai/x"))
    await _plan(store, session)
    return await store.read(sessions.get, session.id)


async def _talk(journal: Journal) -> None:
    await journal.say("fix the *login* <b>now</b>", "human", [Attachment("image/png", PICTURE, "shot.png")])
    await journal.begin_reply()
    await journal.stream("reasoning", "hm")
    await journal.stream("text", "I will ")
    await journal.stream("text", "look")
    call = Call("c1", "shell", '{"command": "make test"}', {})
    _, (pending,) = await journal.conclude([call], usage=Usage(10, 20, 30), cost=0.25, finish="tool_calls")
    await journal.update_call(pending, "completed", "```\nall 3 passed\n```")
    await journal.say("the list", "todos")
    await journal.begin_reply()
    await journal.stream("text", "Half a sen")


async def _plan(store: Store, session: Session) -> None:
    def nobody(event: object) -> None:
        del event

    todos = TodoService(store, session.workspace, session.id, nobody)
    artifacts = ArtifactService(store, session.workspace, session.id, todos, nobody)
    shared = TodoService(store, session.workspace, None, nobody)
    outer = (await shared.add(USER, [Draft("for everybody")])).todos[0]
    plan = await artifacts.create(AGENT, "Auth plan", "plan", "too short")
    await artifacts.update(AGENT, plan.id, PLAN)
    await artifacts.stage(AGENT, plan.id, "final")
    model, fields, login = todos.own(await todos.current())
    await todos.update(
        USER, [Edit(model.id, depends_on=(login.id, outer.id)), Edit(fields.id, notes="two\nlines")]
    )
    gone = (await todos.add(AGENT, [Draft("a mistake")])).todos[0]
    await todos.delete(USER, [gone.id])
    await todos.undo(USER)
    await todos.delete(USER, [gone.id])
    sprint = await SprintService(store, session.workspace, todos).create(USER, "Spring")
    await SprintService(store, session.workspace, todos).assign(USER, sprint.id, [login.id])
    await todos.update(AGENT, [Edit(login.id, status="in_progress")])
    await todos.spend(login.id, tokens=500, cost=0.5, calls=2, milliseconds=900)


async def archived(store: Store) -> Archive:
    return await store.read(gather, (await filled(store)).id)


def normal(archive: Archive) -> Archive:
    """With every id replaced by its place, so that two copies of a session are equal."""
    messages = _places(each.id for each in archive.messages)
    parts = _places(part.id for each in archive.messages for part in each.parts)
    moments = _places(each.number for each in archive.timeline)
    known = {todo.id for todo in archive.todos}
    known |= {todo.id for each in archive.timeline for todo in (*each.before, *each.after)}
    todos = _places(sorted(known))
    artifacts = _places(each.artifact.id for each in archive.artifacts)
    sprints = _places(each.id for each in archive.sprints)

    def todo_of(todo: Todo) -> Todo:
        return replace(
            todo,
            id=todos[todo.id],
            session_id="S",
            parent_id=todos[todo.parent_id] if todo.parent_id else None,
            depends_on=tuple(todos[each] for each in todo.depends_on),
            artifact_id=artifacts[todo.artifact_id] if todo.artifact_id else None,
            sprint_id=sprints[todo.sprint_id] if todo.sprint_id else None,
            run_id=messages[todo.run_id] if todo.run_id else None,
            assignee="S" if todo.assignee == archive.session.id else todo.assignee,
        )

    return Archive(
        replace(archive.session, id="S", model="M"),
        tuple(
            replace(
                each,
                id=messages[each.id],
                session_id="S",
                parts=tuple(
                    replace(part, id=parts[part.id], message_id=messages[each.id]) for part in each.parts
                ),
            )
            for each in archive.messages
        ),
        tuple(todo_of(todo) for todo in archive.todos),
        tuple(
            replace(each, artifact=replace(each.artifact, id=artifacts[each.artifact.id], session_id="S"))
            for each in archive.artifacts
        ),
        tuple(replace(each, id=sprints[each.id], created_at=0, updated_at=0) for each in archive.sprints),
        tuple(
            replace(
                each,
                number=moments[each.number],
                before=tuple(map(todo_of, each.before)),
                after=tuple(map(todo_of, each.after)),
                undoes=moments[each.undoes] if each.undoes else None,
            )
            for each in archive.timeline
        ),
    )


def _places(ids: Iterable[int]) -> dict[int, int]:
    return {each: place for place, each in enumerate(ids, 1)}
