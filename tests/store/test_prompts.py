import pytest

from store import prompts
from store.database import Store
from store.errors import MissingError
from store.records import Session


async def texts(store: Store, workspace: str = "/project") -> list[str]:
    return [prompt.text for prompt in await store.read(prompts.recent, workspace)]


async def test_prompts_come_back_newest_first_from_every_session_of_a_workspace(
    store: Store, session: Session
):
    await store.write(prompts.add, "/project", session.id, "first")
    await store.write(prompts.add, "/project", None, "second")
    await store.write(prompts.add, "/other", None, "elsewhere")

    assert await texts(store) == ["second", "first"]


async def test_a_prompt_typed_again_at_once_is_kept_once(store: Store):
    for text in ("again", "again", "other", "again"):
        await store.write(prompts.add, "/project", None, text)

    assert await texts(store) == ["again", "other", "again"]


async def test_another_tenant_sees_no_prompt_and_adds_none_to_a_foreign_session(
    store: Store, session: Session
):
    await store.write(prompts.add, "/project", session.id, "mine")
    stranger = store.for_tenant("stranger")

    with pytest.raises(MissingError):
        await stranger.write(prompts.add, "/project", session.id, "slipped in")

    assert await texts(stranger) == []
    assert await texts(store) == ["mine"]
