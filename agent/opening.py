"""Puts a session together: store, trust, settings, agent, model, tools and permissions."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Literal

from agent.agenda import Agenda, asking, check_runner, choose_dialect, owner_lives
from agent.agents.load import Agent, load_all, pick
from agent.artifacts import ArtifactService
from agent.bus import Bus
from agent.calls import Toolbox
from agent.config.load import Loaded, load
from agent.config.models import Config
from agent.context.history import Conversation
from agent.gate import Gate
from agent.journal import Journal
from agent.loop import Turn
from agent.models import catalog
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
from agent.prompts.system import compose, project_instructions
from agent.questions import Questions
from agent.session import Session
from agent.todos.actors import Actor
from agent.todos.cleanup import clean_up
from agent.todos.service import TodoService
from agent.tools import registry
from agent.tools.artifacts.tools import TOOLS as ARTIFACT_TOOLS
from agent.tools.artifacts.tools import ArtifactContext
from agent.tools.local import LocalWorkspace
from agent.tools.tool import Tool
from agent.wake import Limits
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
    model_name: str
    opening: Opening


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
        chosen = _model(opening, loaded.config, agent, existing)
        stack.push_async_callback(chosen.close)
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
        session, gate, workspace = await _assemble(
            opening, store, record, loaded.config, agent, chosen, trusted=trusted
        )
        stack.push_async_callback(workspace.close)
        days = loaded.config.cleanup
        cleaning = asyncio.create_task(
            clean_up(store, stale_days=days.stale_days, inactive_days=days.inactive_days), name="clean up"
        )
        stack.push_async_callback(asyncio.wait, [cleaning])
        if await session.journal.load():
            notices.append("the last turn was interrupted; what it had said and done is kept")
        yield Opened(session, store, loaded, gate, tuple(notices), chosen.name, opening)


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


def _model(opening: Opening, config: Config, agent: Agent, existing: SessionRecord | None) -> Chosen:
    preferred = config.agents.get(agent.name)
    names = (
        opening.model_name,
        # One that began before any model was set up goes on with the one that is set now.
        existing.model if existing and existing.model != OFFLINE else None,
        preferred.model if preferred else None,
        agent.model,
        config.model.default,
    )
    name = next((name for name in names if name), None)
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
) -> tuple[Session, Gate, LocalWorkspace]:
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
    policy = _policy(opening, config, agent, places, sandbox, kept)
    gate = Gate(policy, questions, keep=_keeper(store, record), waiting=session.waiting)
    workspace = _workspace(opening, config, places, outputs, sandbox, chosen.name)
    agenda = _agenda(opening, store, session, workspace, gate, config, agent, chosen.name)
    await agenda.service.current()
    artifacts = _artifacts(store, session, agenda)
    tools = _offered(agent, agenda.tools)
    box = Toolbox(
        tools,
        workspace,
        gate,
        journal,
        questions,
        session.emit,
        session.waiting,
        lambda on: agenda.context if on == "todos" else artifacts if on == "artifacts" else None,
    )
    turn = Turn(
        model=chosen.model,
        name=chosen.name,
        entry=catalog.look_up(chosen.name, context=config.model.context, max_output=config.model.max_output),
        conversation=Conversation(
            compose(
                agent,
                root,
                created_at=record.created_at,
                guidance=agenda.guidance,
                instructions=project_instructions(root) if trusted else [],
            )
        ),
        specs=tuple(registry.spec(tool) for tool in tools),
        box=box,
        journal=journal,
        max_steps=_max_steps(opening, config, agent),
        prepare=session.prepare,
        may_repeat=session.may_repeat,
        spoken=session.spoken,
        tail=agenda.tail,
        emit=session.emit,
        random=Random(),  # noqa: S311 - spreads retries, guards nothing
    )
    session.equip(turn, agenda)
    return session, gate, workspace


def _max_steps(opening: Opening, config: Config, agent: Agent) -> int:
    preferred = config.agents.get(agent.name)
    return (
        opening.max_steps or (preferred and preferred.max_steps) or agent.max_steps or config.agent.max_steps
    )


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


def _agenda(
    opening: Opening,
    store: Store,
    session: Session,
    workspace: LocalWorkspace,
    gate: Gate,
    config: Config,
    agent: Agent,
    model: str,
) -> Agenda:
    service = TodoService(
        store,
        str(workspace.root),
        session.id,
        session.emit,
        alive=owner_lives(opening.paths.locks),
        run_check=check_runner(workspace, gate),
        consent=asking(session.questions, session.waiting) if opening.attended else None,
    )
    return Agenda(
        service,
        Actor(f"agent:{agent.name}", agent.access),
        dialect=choose_dialect(agent, config, model),
        limits=session.limits,
        countdown=config.wake.countdown if opening.attended else 0.0,
        wakes_on_workspace=config.wake.workspace,
        every_step=config.todos.context == "every-step",
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


def _offered(agent: Agent, todo_tools: tuple[Tool, ...]) -> tuple[Tool, ...]:
    """By default all but artifacts; an agent names tools, or `default` and `artifacts` for those groups."""
    default = (*registry.DEFAULTS, *todo_tools)
    if agent.tools is None:
        return default
    wanted = agent.tools
    return tuple(
        tool
        for group, tools in (("default", default), ("artifacts", ARTIFACT_TOOLS))
        for tool in tools
        if tool.name in wanted or group in wanted
    )


def _artifacts(store: Store, session: Session, agenda: Agenda) -> ArtifactContext:
    service = agenda.service
    keeper = ArtifactService(store, service.workspace, service.session_id, service, session.emit)
    return ArtifactContext(keeper, agenda.actor)


def _policy(
    opening: Opening,
    config: Config,
    agent: Agent,
    places: Places,
    sandbox: Sandbox,
    kept: tuple[Grant, ...],
) -> Policy:
    rules = (
        *parse_rules(config.permissions.rules),
        *parse_rules(agent.rules, "agent"),
        *to_rules(kept),
        *parse_rules(opening.allow, "session"),
    )
    # An agent that changes nothing is chosen for that; `--auto` is about not being asked.
    wanted = "auto" if opening.auto and agent.permissions != "plan" else agent.permissions
    mode = wanted or config.permissions.mode
    return Policy(places, rules, mode, sandboxed=sandbox.present, forced_auto=opening.auto)
