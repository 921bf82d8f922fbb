import pytest

from store import artifacts, changes, sessions
from store.database import Store
from store.errors import MissingError, StoreError
from store.records import Artifact, Session


async def plan(store: Store, session_id: str | None, content: str = "1. one") -> Artifact:
    return await store.write(
        artifacts.create, "/project", session_id, title="A plan", kind="plan", content=content, actor="user"
    )


async def test_every_version_of_an_artifact_can_be_read(store: Store, session: Session):
    first = await plan(store, session.id)

    second = await store.write(
        artifacts.revise, first.id, title="Better", content="1. two", actor="agent:build"
    )

    assert (second.version, second.content, second.title) == (2, "1. two", "Better")
    assert await store.read(artifacts.get, first.id) == second
    older = await store.read(artifacts.get, first.id, 1)
    assert older is not None
    assert (older.version, older.content) == (1, "1. one")
    assert await store.read(artifacts.contents, first.id) == ("1. one", "1. two")
    assert await store.read(artifacts.get, first.id, 3) is None


async def test_a_final_artifact_that_changes_is_a_draft_again(store: Store, session: Session):
    artifact = await plan(store, session.id)
    staged = await store.write(artifacts.set_stage, artifact.id, "final", actor="user")

    revised = await store.write(artifacts.revise, artifact.id, title="A plan", content="new", actor="user")

    assert (staged.stage, revised.stage) == ("final", "draft")


async def test_digests_of_extracted_texts_add_up(store: Store, session: Session):
    artifact = await plan(store, session.id)

    for digest in ("b", "a", "b"):
        await store.write(artifacts.mark_extracted, artifact.id, digest)

    assert await store.read(artifacts.extracted, artifact.id) == {"a", "b"}


async def test_a_session_sees_its_artifacts_and_those_of_the_workspace(store: Store, session: Session):
    other = await store.write(sessions.create, "/project", agent="build", model="offline")
    own = await plan(store, session.id)
    shared = await plan(store, None)
    await plan(store, other.id)

    assert await store.read(artifacts.visible, "/project", session.id) == (own, shared)
    assert await store.read(artifacts.visible, "/project", None) == (shared,)
    assert await store.read(artifacts.visible, "/elsewhere", session.id) == ()


async def test_every_change_of_an_artifact_is_in_the_outbox(store: Store, session: Session):
    artifact = await plan(store, session.id)
    await store.write(artifacts.revise, artifact.id, title="A plan", content="2", actor="user")
    await store.write(artifacts.rename, artifact.id, "B", actor="user")
    await store.write(artifacts.set_stage, artifact.id, "review", actor="user")
    await store.write(artifacts.remove, artifact.id, actor="user")

    found = [change for change in await store.read(changes.since, 0) if change.kind.startswith("artifact.")]

    assert [change.kind for change in found] == [
        "artifact.created",
        "artifact.updated",
        "artifact.renamed",
        "artifact.staged",
        "artifact.deleted",
    ]
    assert {(change.entity_id, change.session_id) for change in found} == {(str(artifact.id), session.id)}


async def test_an_artifact_of_another_tenant_does_not_exist(store: Store, session: Session):
    artifact = await plan(store, session.id)
    guest = store.for_tenant("guest")

    assert await guest.read(artifacts.get, artifact.id) is None
    assert await guest.read(artifacts.contents, artifact.id) == ()
    assert await guest.read(artifacts.visible, "/project", session.id) == ()
    for attempt in (
        guest.write(artifacts.revise, artifact.id, title="x", content="x", actor="user"),
        guest.write(artifacts.rename, artifact.id, "x", actor="user"),
        guest.write(artifacts.set_stage, artifact.id, "final", actor="user"),
        guest.write(artifacts.mark_extracted, artifact.id, "x"),
        guest.write(artifacts.remove, artifact.id, actor="user"),
        guest.read(artifacts.extracted, artifact.id),
    ):
        with pytest.raises(MissingError):
            await attempt
    with pytest.raises(StoreError):
        await plan(guest, session.id)
    assert await store.read(artifacts.get, artifact.id) == artifact
