"""Puts a session together: store, trust, settings, agent, model, tools and permissions."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from agent.agenda import asking, check_runner, owner_lives
from agent.agents.load import Agent, load_all, pick
from agent.artifacts import ArtifactService
from agent.bus import Bus
from agent.config.load import Loaded, load
from agent.config.models import Config
from agent.gate import Gate
from agent.journal import Journal
from agent.models.choosing import OFFLINE, Chosen, choose_model
from agent.models.keys import secret_variables
from agent.models.protocol import Model
from agent.paths import Paths
from agent.permissions.environment import for_commands
from agent.permissions.grants import NewGrant, to_rules
from agent.permissions.paths import Places
from agent.permissions.policy import Policy
from agent.permissions.rules import parse_rules
from agent.permissions.sandbox import Sandbox, confine, find_sandbox
from agent.prompts.system import project_instructions
from agent.questions import Questions
from agent.session import Session
from agent.todos.cleanup import clean_up
from agent.todos.service import TodoService
from agent.tools.local import LocalWorkspace
from agent.wake import Limits
from agent.workshop import Workshop
from store import grants, sessions, workspaces
from store.database import Store, open_store
from store.lock import session_lock
from store.records import Grant
from store.records import Session as SessionRecord


class OpeningError(Exception):
    pass


@dataclass(frozen=True, slots=True)
class Opening:
    """What a door asks for. `resume` is a session's id, or its beginning; `model` may be a ready one."""

    paths: Paths
    environment: Mapping[str, str]
    root: Path
    assignments: tuple[str, ...] = ()
    attended: bool = True
    proceed: Literal["new", "newest"] = "new"
    resume: str | None = None
    model_name: str | None = None
    model: Model | None = None
    agent: str | None = None
    auto: bool = False
    allow: tuple[str, ...] = ()
    max_steps: int | None = None
    max_cost: float | None = None
    max_wakes: int | None = None


@dataclass(frozen=True, slots=True)
class Opened:
    session: Session
    store: Store
    loaded: Loaded
    gate: Gate
    notices: tuple[str, ...]
    opening: Opening
    agents: Mapping[str, Agent]
    trusted: bool
    workshop: Workshop
    choose: Callable[[str], Chosen]

    @property
    def model_name(self) -> str:
        return self.session.journal.model

    async def switch(self, *, model: str | None = None, agent: str | None = None) -> None:
        """From the next turn on; one that is running ends as it began."""
        shop = self.workshop
        if agent is not None:
            shop.agent = pick(self.agents, agent)
            model = model or _preferred(self.loaded.config, shop.agent)
        if model not in (None, shop.chosen.name):
            shop.chosen = self.choose(model)
        await self.store.write(
            sessions.switch, self.session.id, agent=shop.agent.name, model=shop.chosen.name
        )
        self.session.between_turns(shop.equip)


@asynccontextmanager
async def open_session(opening: Opening) -> AsyncGenerator[Opened, None]:
    async with AsyncExitStack() as stack:
        store = await stack.enter_async_context(open_store(opening.paths.database))
        existing = await _existing(store, opening, str(opening.root.resolve()))
        # A session stays where it began, and so does the trust it works with.
        root = Path(existing.workspace) if existing else opening.root.resolve()
        if not root.is_dir():
            raise OpeningError(f"{root}, where that session worked, is gone; start a new session")
        place = await store.write(workspaces.ensure, str(root))
        trusted = place.trusted_at is not None
        loaded = load(
            opening.paths,
            opening.environment,
            project=root,
            trusted=trusted,
            assignments=opening.assignments,
        )
        notices = [*store.notices, *loaded.notices]
        theirs = root / ".wakeful" / "agents" if trusted else None
        agents = load_all(opening.paths.config_folder / "agents", theirs, notices)
        agent = pick(agents, opening.agent or (existing.agent if existing else "build"))

        def choose(name: str | None) -> Chosen:
            chosen = _model(opening, loaded.config, name)
            stack.push_async_callback(chosen.close)
            return chosen

        chosen = choose(_model_name(opening, loaded.config, agent, existing))
        record = existing or await store.write(
            sessions.create, str(root), agent=agent.name, model=chosen.name, max_cost=_cap(opening, loaded)
        )
        stack.enter_context(session_lock(opening.paths.locks, record.id))
        if existing and (existing.agent, existing.model) != (agent.name, chosen.name):
            await store.write(sessions.switch, record.id, agent=agent.name, model=chosen.name)
        if existing and opening.max_cost is not None:
            await store.write(sessions.set_budget, record.id, opening.max_cost)
        record = await store.read(sessions.get, record.id)
        notices += chosen.notices
        if not trusted and _has_project_files(root):
            notices.append(
                f"{root} is not trusted: its settings, agents and instructions are not used; "
                f"`wakeful trust` changes that"
            )
        shop = await _assemble(opening, store, record, loaded.config, agent, chosen, trusted=trusted)
        stack.push_async_callback(shop.workspace.close)
        days = loaded.config.cleanup
        cleaning = asyncio.create_task(
            clean_up(store, stale_days=days.stale_days, inactive_days=days.inactive_days), name="clean up"
        )
        stack.push_async_callback(asyncio.wait, [cleaning])
        if await shop.session.journal.load():
            notices.append("the last turn was interrupted; what it had said and done is kept")
        yield Opened(
            shop.session, store, loaded, shop.gate, tuple(notices), opening, agents, trusted, shop, choose
        )


def _has_project_files(root: Path) -> bool:
    return any((root / name).exists() for name in (".wakeful", "AGENTS.md"))


async def _existing(store: Store, opening: Opening, workspace: str) -> SessionRecord | None:
    if opening.resume is not None:
        found = [
            record
            for record in await store.read(sessions.listed, None)
            if record.id.startswith(opening.resume.upper())
        ]
        if len(found) != 1:
            what = "no session" if not found else f"{len(found)} sessions"
            raise OpeningError(f"{what} with an id that starts with {opening.resume}; see `wakeful sessions`")
        return found[0]
    if opening.proceed == "newest":
        return await store.read(sessions.newest, workspace)
    return None


def _cap(opening: Opening, loaded: Loaded) -> float | None:
    return opening.max_cost if opening.max_cost is not None else loaded.config.budget.max_cost


def _model_name(opening: Opening, config: Config, agent: Agent, existing: SessionRecord | None) -> str | None:
    # One that began before any model was set up goes on with the one that is set now.
    stored = existing.model if existing and existing.model != OFFLINE else None
    return opening.model_name or stored or _preferred(config, agent) or config.model.default


def _preferred(config: Config, agent: Agent) -> str | None:
    """The user's word for this agent, then the agent's own."""
    choice = config.agents.get(agent.name)
    return (choice.model if choice else None) or agent.model


def _model(opening: Opening, config: Config, name: str | None) -> Chosen:
    if opening.model is not None:
        return Chosen(name or "scripted", opening.model)
    return choose_model(name, config, opening.environment, opening.paths)


async def _assemble(
    opening: Opening,
    store: Store,
    record: SessionRecord,
    config: Config,
    agent: Agent,
    chosen: Chosen,
    *,
    trusted: bool,
) -> Workshop:
    root = Path(record.workspace)
    bus = Bus(record.id)
    questions = Questions(bus.emit, attended=opening.attended)
    journal = Journal(store, record.id, agent=agent.name, model=chosen.name)
    limits = _limits(opening, config, record)
    session = Session(store, record, bus=bus, questions=questions, journal=journal, limits=limits)
    outputs = opening.paths.state_folder / "outputs"
    places = Places(root, private=_private(opening.paths), readable=(outputs,))
    sandbox = await asyncio.to_thread(find_sandbox)
    kept = await store.read(grants.listed, record.workspace, record.id)
    policy = _policy(opening, config, places, sandbox, kept)
    gate = Gate(policy, questions, keep=_keeper(store, record), waiting=session.waiting)
    workspace = _workspace(opening, config, places, outputs, sandbox, chosen.name)
    service = _todos(opening, store, session, workspace, gate)
    await service.current()
    shop = Workshop(
        opening=opening,
        config=config,
        record=record,
        instructions=tuple(project_instructions(root)) if trusted else (),
        session=session,
        gate=gate,
        workspace=workspace,
        service=service,
        artifacts=ArtifactService(store, record.workspace, record.id, service, session.emit),
        agent=agent,
        chosen=chosen,
    )
    shop.equip()
    return shop


def _limits(opening: Opening, config: Config, record: SessionRecord) -> Limits:
    cycles = config.wake.max_cycles if opening.max_wakes is None else opening.max_wakes
    return Limits(
        max_cycles=cycles,
        max_tokens=config.wake.max_tokens,
        max_minutes=config.wake.max_minutes,
        max_cost=record.max_cost,
        stagnation=config.wake.stagnation,
    )


def _keeper(store: Store, record: SessionRecord) -> Callable[[NewGrant], Awaitable[Grant]]:
    async def keep(grant: NewGrant) -> Grant:
        owner = None if grant.lasting else record.id
        return await store.write(
            grants.add, record.workspace, owner, grant.tool, grant.pattern, grant.verdict
        )

    return keep


def _todos(
    opening: Opening, store: Store, session: Session, workspace: LocalWorkspace, gate: Gate
) -> TodoService:
    return TodoService(
        store,
        str(workspace.root),
        session.id,
        session.emit,
        alive=owner_lives(opening.paths.locks),
        run_check=check_runner(workspace, gate),
        consent=asking(session.questions, session.waiting) if opening.attended else None,
    )


def _private(paths: Paths) -> tuple[Path, ...]:
    return tuple(dict.fromkeys((paths.config_folder, paths.data_folder, paths.state_folder)))


def _workspace(
    opening: Opening, config: Config, places: Places, outputs: Path, sandbox: Sandbox, model: str
) -> LocalWorkspace:
    variables = {name: provider.key_env for name, provider in config.providers.items()}
    variables.setdefault(model.partition("/")[0], None)
    return LocalWorkspace(
        root=places.root,
        logs=outputs,
        environment=for_commands(opening.environment, secret_variables(variables)),
        prefix=tuple(confine(sandbox, places, [])),
        protected=(*places.private, places.root / ".git", places.root / ".wakeful"),
        secret=places.private,
    )


def _policy(
    opening: Opening, config: Config, places: Places, sandbox: Sandbox, kept: tuple[Grant, ...]
) -> Policy:
    """All but what the agent says, which comes with it."""
    rules = (
        *parse_rules(config.permissions.rules),
        *to_rules(kept),
        *parse_rules(opening.allow, "session"),
    )
    return Policy(places, rules, sandboxed=sandbox.present, forced_auto=opening.auto)
