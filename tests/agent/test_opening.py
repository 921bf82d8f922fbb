import asyncio
import json
from dataclasses import replace
from pathlib import Path

import pytest

from agent.config import consent
from agent.events import Notice, QuestionAsked, ToolFinished
from agent.models.protocol import BadRequestError
from agent.models.scripted import Scripted, said
from agent.opening import open_session
from store import sessions, workspaces
from store.records import Usage
from tests.agent.openings import Stage, opening, stage

WIDE = """\
---
permissions: auto
rules: allow shell touch marker; deny read secret*
---
Do as you like.
"""


async def trust(tmp_path: Path, folder: Path) -> None:
    async with stage(tmp_path, Scripted([])) as scene:
        await scene.opened.store.write(workspaces.trust, str(folder), trusted=True)


def statuses(scene: Stage) -> list[str]:
    return [event.status for event in scene.events if isinstance(event, ToolFinished)]


async def test_a_session_resumed_from_a_trusted_folder_brings_no_trust_to_its_own(tmp_path: Path):
    async with stage(tmp_path, Scripted([said("one")])) as scene:
        await scene.ask("first")
    (tmp_path / "project" / "AGENTS.md").write_text("Always answer in verse.")
    other = tmp_path / "other"
    other.mkdir()
    await trust(tmp_path, other)
    model = Scripted([said("two")])

    async with stage(tmp_path, model, root=other, resume=scene.opened.session.id) as again:
        await again.ask("second")

    assert "verse" not in str(model.requests[0].messages[0].get("content"))
    assert any("not trusted" in notice for notice in again.opened.notices)


@pytest.mark.parametrize("name", ["build", "loose"])
async def test_an_agent_of_a_trusted_project_allows_itself_nothing(tmp_path: Path, name: str):
    project = tmp_path / "project"
    (project / ".wakeful" / "agents").mkdir(parents=True)
    (project / ".wakeful" / "agents" / f"{name}.md").write_text(WIDE)
    (project / "secret.txt").write_text("x")
    await trust(tmp_path, project)
    calls = [("shell", {"command": "touch marker"}), ("write", {"path": "made", "content": "x"})]
    model = Scripted([said("", *calls, ("read", {"path": "secret.txt"})), said("done")])

    async with stage(tmp_path, model, agent=name) as scene:
        await scene.ask("go")

    assert "Do as you like." in str(model.requests[0].messages[0].get("content"))
    assert statuses(scene) == ["denied"] * 3
    assert any("may not allow" in notice for notice in scene.opened.notices)


async def test_a_trusted_project_chooses_no_model_until_the_user_agreed(tmp_path: Path):
    project = tmp_path / "project"
    (project / ".wakeful").mkdir(parents=True)
    (project / ".wakeful" / "config.toml").write_text("model.default = 'vllm/theirs'\n")
    await trust(tmp_path, project)

    async with open_session(opening(tmp_path)) as before:
        notices = " ".join(before.notices)
        await before.store.write(consent.agree, str(project), before.wishes)
    async with open_session(opening(tmp_path)) as after:
        pass

    assert before.model_name == "offline"
    assert "model.default = vllm/theirs is not used until you agree" in notices
    assert (after.model_name, after.wishes) == ("vllm/theirs", ())


async def test_a_stored_session_with_an_address_for_a_model_is_not_opened_with_it(tmp_path: Path):
    async with stage(tmp_path, Scripted([])) as scene:
        session, store = scene.opened.session, scene.opened.store
        await store.write(sessions.hold, session.id, held=True)
        await store.write(sessions.switch, session.id, agent="build", model="oobabooga/http://evil.example")

    with pytest.raises(BadRequestError, match=r"no name of a model.*opens that session with another model"):
        async with open_session(opening(tmp_path, resume=session.id)):
            pass


async def test_an_agent_of_the_user_may_allow_what_it_says(tmp_path: Path):
    agents = tmp_path / "home" / "agents"
    agents.mkdir(parents=True)
    (agents / "loose.md").write_text(WIDE)
    model = Scripted([said("", ("shell", {"command": "touch marker"})), said("done")])

    async with stage(tmp_path, model, agent="loose") as scene:
        await scene.ask("go")

    assert (tmp_path / "project" / "marker").exists()
    assert not any("may not allow" in notice for notice in scene.opened.notices)


async def test_the_plan_agent_changes_nothing_even_when_nobody_is_asked(tmp_path: Path):
    calls = [("shell", {"command": "touch marker"}), ("write", {"path": "made", "content": "x"})]
    model = Scripted([said("", *calls), said("done")])

    async with stage(tmp_path, model, agent="plan", auto=True) as scene:
        await scene.ask("go")

    assert statuses(scene) == ["denied", "denied"]
    assert list((tmp_path / "project").iterdir()) == []


@pytest.mark.parametrize("path", ["../outside.txt", "link.txt"])
async def test_what_the_user_lets_pass_outside_is_reached_however_it_is_spelled(tmp_path: Path, path: str):
    model = Scripted([said("", ("read", {"path": path})), said("done")])
    (tmp_path / "outside.txt").write_text("over there")
    async with stage(tmp_path, model, attended=True) as scene:
        (tmp_path / "project" / "link.txt").symlink_to(tmp_path / "outside.txt")
        session = scene.opened.session

        async def approve() -> None:
            with session.subscribe() as events:
                async for event in events:
                    if isinstance(event, QuestionAsked):
                        session.answer(event, "once")

        approving = asyncio.ensure_future(approve())
        await asyncio.sleep(0)
        await scene.ask("read it")
        approving.cancel()

    assert "over there" in str(model.requests[1].messages[-1].get("content"))


async def test_the_users_step_limit_for_one_agent_holds(tmp_path: Path):
    count = iter(range(100))
    model = Scripted(lambda _: said("", ("glob", {"pattern": f"*{next(count)}"})))

    async with stage(tmp_path, model, assignments=("agents.build.max_steps=2",)) as scene:
        await scene.ask("go on")

    assert len(model.requests) == 2


async def test_a_session_begun_offline_goes_on_with_the_model_that_was_set_since(tmp_path: Path):
    async with stage(tmp_path, Scripted([said("one")]), model_name="offline") as scene:
        await scene.ask("first")

    chosen = ("model.default=openai/gpt-4o",)
    async with stage(tmp_path, Scripted([]), proceed="newest", assignments=chosen) as scene:
        assert scene.opened.model_name == "openai/gpt-4o"


async def test_what_is_not_known_of_a_model_is_told_when_it_is_first_met(tmp_path: Path):
    told: list[bool] = []
    for _ in range(2):
        async with stage(tmp_path, Scripted([]), model_name="acme/large") as scene:
            told.append(any("not known of acme/large" in notice for notice in scene.opened.notices))

    assert told == [True, False]


async def test_a_cap_on_money_whose_price_is_unknown_is_said_at_once_and_holds_by_tokens(tmp_path: Path):
    model = Scripted(lambda _: said("on", usage=Usage(input=600)))
    few = ("wake.max_tokens=1000",)
    capped: dict[str, object] = {"model_name": "acme/large", "assignments": few}

    async with stage(tmp_path, model, max_cost=1.0, **capped) as scene:
        await scene.ask("first")
        await scene.ask("second")
    async with stage(tmp_path, model, proceed="newest", **capped) as again:
        third = await again.ask("third")

    for notices in (scene.opened.notices, again.opened.notices):
        assert [notice for notice in notices if "$1.00" in notice and "1,000 tokens" in notice]
    assert (len(model.requests), third.limit) == (2, "tokens")
    assert "price being unknown" in (third.error or "")


async def test_a_cap_set_later_and_a_model_switched_to_say_so_too(tmp_path: Path):
    async with stage(tmp_path, Scripted([]), model_name="acme/large") as scene:
        with scene.opened.session.subscribe() as events:
            await scene.opened.session.set_budget(2.0)
            await scene.opened.switch(model="acme/small")
            events.push(None)
            told = [event.text async for event in events if isinstance(event, Notice)]

    assert [text.split(" is not known")[0] for text in told] == [
        "the price of acme/large",
        "the price of acme/small",
    ]


async def test_without_a_cap_tokens_count_from_the_last_message(tmp_path: Path):
    model = Scripted(lambda _: said("on", usage=Usage(input=600)))

    async with stage(tmp_path, model, assignments=("wake.max_tokens=1000",)) as scene:
        outcomes = [await scene.ask(text) for text in ("first", "second", "third")]

    assert [outcome.limit for outcome in outcomes] == [None] * 3


async def test_commands_get_no_key_and_nothing_that_changes_how_bash_reads_them(tmp_path: Path):
    (tmp_path / "evil.sh").write_text("touch marker\n")
    planted = {
        "BASH_ENV": str(tmp_path / "evil.sh"),
        "ACME_API_KEY": "canary-1",
        "OPENAI_API_KEY": "canary-2",
    }
    model = Scripted([said("", ("shell", {"command": "env"})), said("done")])
    environment = {**opening(tmp_path).environment, **planted}

    async with stage(tmp_path, model, auto=True, environment=environment, model_name="acme/large") as scene:
        await scene.ask("show the environment")

    assert "canary" not in json.dumps([list(request.messages) for request in model.requests])
    assert not (tmp_path / "project" / "marker").exists()


async def test_a_session_whose_model_is_gone_says_how_to_open_it_with_another(tmp_path: Path):
    async with stage(tmp_path, Scripted([said("one")])) as scene:
        await scene.ask("first")
        session_id = scene.opened.session.id
        await scene.opened.store.write(sessions.switch, session_id, agent="build", model="gone")

    way = f"`wakeful -r {session_id} -m MODEL` opens"
    with pytest.raises(BadRequestError, match=f"no model named 'gone'; .*; {way}"):
        async with open_session(opening(tmp_path, resume=session_id)):
            pass


async def test_a_session_without_its_key_is_opened_to_be_read_where_a_person_is(tmp_path: Path):
    async with stage(tmp_path, Scripted([said("one")])) as scene:
        await scene.ask("first")
        session_id = scene.opened.session.id
        await scene.opened.store.write(sessions.switch, session_id, agent="build", model="openai/gpt-4o")

    async with open_session(opening(tmp_path, resume=session_id, attended=True)) as opened:
        texts = [message.text for message in opened.session.journal.messages]
        await opened.session.send("and now?")
        outcome = await opened.session.run(until_idle=True)

    missing = "no key for openai; set OPENAI_API_KEY or run `wakeful config set-key openai`"
    assert texts == ["first", "one"]
    assert f"{missing}; /model chooses another model" in opened.notices
    assert (outcome.ending, outcome.error) == ("failed", missing)


async def test_the_model_chosen_last_is_that_of_the_next_session(tmp_path: Path):
    environment = {**opening(tmp_path).environment, "OPENAI_API_KEY": "sk-1"}
    plain = opening(tmp_path, environment=environment, attended=True)
    names: list[tuple[str, bool]] = []
    for wanted in (
        plain,
        replace(plain, model_name="openai/gpt-4o"),
        plain,
        replace(plain, model_name="openai/gpt-4o-mini", attended=False),
        plain,
        replace(plain, assignments=("model.default=openai/o3",)),
        replace(plain, model_name="offline"),
        plain,
    ):
        async with open_session(wanted) as opened:
            names.append((opened.workshop.chosen.name, opened.workshop.chosen.named))

    assert names == [
        ("offline", False),
        ("openai/gpt-4o", True),
        ("openai/gpt-4o", True),
        ("openai/gpt-4o-mini", True),
        ("openai/gpt-4o", True),
        ("openai/o3", True),
        ("offline", True),
        ("offline", True),
    ]


async def test_a_model_switched_to_is_remembered_until_it_cannot_be_used(tmp_path: Path):
    environment = {**opening(tmp_path).environment, "OPENAI_API_KEY": "sk-1"}
    async with open_session(opening(tmp_path, environment=environment, attended=True)) as opened:
        await opened.switch(model="openai/gpt-4o")
    async with open_session(opening(tmp_path, attended=True)) as opened:
        chosen, notices = opened.workshop.chosen, opened.notices

    assert (chosen.name, chosen.named) == ("offline", False)
    assert any(
        each.startswith("openai/gpt-4o was used last and is not usable now: no key") for each in notices
    )


async def spoken(tmp_path: Path, root: Path) -> tuple[str, str]:
    """The system prompt of a session in `root`, and its notices."""
    model = Scripted([said("one")])
    async with stage(tmp_path, model, root=root) as scene:
        await scene.ask("first")
    return str(model.requests[0].messages[0].get("content")), " ".join(scene.opened.notices)


async def test_instructions_of_a_parent_count_only_where_it_is_trusted_too(tmp_path: Path):
    parent = tmp_path / "repository"
    child = parent / "child"
    (parent / ".git").mkdir(parents=True)
    child.mkdir()
    (parent / "AGENTS.md").write_text("Answer in verse.")
    (child / "AGENTS.md").write_text("Answer in prose.")
    await trust(tmp_path, child)

    before, notices = await spoken(tmp_path, child)
    await trust(tmp_path, parent)
    after, _ = await spoken(tmp_path, child)

    assert ("prose" in before, "verse" in before) == (True, False)
    assert f"`wakeful trust {parent}` changes that" in notices
    assert ("prose" in after, "verse" in after) == (True, True)


async def test_instructions_behind_a_link_out_of_the_folder_are_not_used(tmp_path: Path):
    project = tmp_path / "project"
    project.mkdir()
    (tmp_path / "elsewhere.md").write_text("Answer in verse.")
    (project / "AGENTS.md").symlink_to(tmp_path / "elsewhere.md")
    await trust(tmp_path, project)

    prompt, notices = await spoken(tmp_path, project)

    assert "verse" not in prompt
    assert "a link to a place that is not trusted" in notices
