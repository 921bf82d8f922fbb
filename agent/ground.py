"""Decides what a session stands on: its folder and trust, settings, agent, model and stored record."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from pathlib import Path

from agent.agents.load import Agent, load_all, pick
from agent.config import consent
from agent.config.load import Loaded, load
from agent.config.models import Config
from agent.entry import Opening
from agent.limits import uncountable
from agent.models import catalog, last_model
from agent.models.choose import Unusable
from agent.models.choosing import OFFLINE, Chosen, choose_model
from agent.models.local import find_servers, offered, usual
from agent.models.protocol import ModelError
from agent.privacy import keep_private
from agent.prompts.system import Instructions, project_instructions
from store import sessions, workspaces
from store.database import Store
from store.frozen import frozen
from store.lock import session_lock
from store.records import Session

# Seconds; a server that is there answers in milliseconds, and nobody should wait for one that is not.
_GLANCE = 0.2
# More sessions than anybody has.
_ALL = 1_000_000


class OpeningError(Exception):
    pass


@frozen
class Ground:
    """All that is decided before anything is built on it."""

    opening: Opening
    store: Store
    trusted: bool
    loaded: Loaded
    wishes: tuple[str, ...]
    instructions: tuple[str, ...]
    agents: Mapping[str, Agent]
    agent: Agent
    chosen: Chosen
    choose: Callable[[str | None], Chosen]
    record: Session
    notices: tuple[str, ...]

    @property
    def config(self) -> Config:
        return self.loaded.config

    @property
    def root(self) -> Path:
        return Path(self.record.workspace)


async def lay_ground(opening: Opening, store: Store, stack: AsyncExitStack) -> Ground:
    """What has to be given back, the lock and the model, is left on `stack`."""
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
        project=root if trusted else None,
        trusted=trusted,
        agreed=await store.read(consent.agreed, str(root)),
        assignments=opening.assignments,
    )
    found = load_all(opening.paths.config_folder / "agents", root if trusted else None, loaded.agreed)
    notices = [*store.notices, *keep_private(opening.paths), *loaded.notices, *found.notices]
    wishes = (*loaded.wishes, *found.wishes)
    instructions = await _instructions(store, root) if trusted else Instructions()
    notices += map(_unused, instructions.unused)
    agent = pick(found.by_name, _agent_name(opening, existing))

    def choose(name: str | None) -> Chosen:
        chosen = _model(opening, loaded.config, name)
        stack.push_async_callback(chosen.close)
        return chosen

    name = _model_name(opening, loaded.config, agent, existing)
    if name is None and opening.model is None and (last := last_model.load(opening.paths.state_folder)):
        name = _if_usable(last, choose, notices)
    chosen = _chosen(opening, existing, name, choose)
    _remember(opening, chosen)
    if not opening.modelless:
        await chosen.start()
    known = await store.read(sessions.met_model, chosen.name)
    record = existing or await _create(opening, store, root, loaded.config, agent, chosen)
    stack.enter_context(session_lock(opening.paths.locks, record.id))
    if existing:
        record = await _changed(opening, store, existing, agent, chosen)
    notices += chosen.notices
    if name is None and opening.model is None and not opening.modelless:
        servers = await find_servers(usual(opening.environment), limit=_GLANCE)
        notices += [offered(server) for server in servers]
    notices += _unknown(loaded.config, record, said=known)
    if not trusted and _has_project_files(root):
        notices.append(
            f"{root} is not trusted: its settings, agents, commands and instructions are not used; "
            f"{'/trust' if opening.attended else '`wakeful trust`'} changes that"
        )
    return Ground(
        opening,
        store,
        trusted,
        loaded,
        wishes,
        instructions.texts,
        found.by_name,
        agent,
        chosen,
        choose,
        record,
        tuple(notices),
    )


def _chosen(
    opening: Opening, existing: Session | None, name: str | None, choose: Callable[[str | None], Chosen]
) -> Chosen:
    """Open a stored session whose model cannot be used all the same where a person is there to read it."""
    try:
        return choose(name)
    except ModelError as error:
        if opening.modelless:
            return Chosen(name or OFFLINE, Unusable(error))
        if existing is None or name != existing.model:
            raise
        if opening.attended:
            return Chosen(existing.model, Unusable(error), (f"{error}; /model chooses another model",))
        way = f"`wakeful -r {existing.id} -m MODEL` opens that session with another model"
        raise type(error)(f"{error}; {way}") from error


def _remember(opening: Opening, chosen: Chosen) -> None:
    """What a person named, not what a script did or a session had."""
    if opening.attended and opening.model is None and opening.model_name and not opening.prefer_stored:
        last_model.save(opening.paths.state_folder, chosen.name)


def _if_usable(last: str, choose: Callable[[str | None], Chosen], notices: list[str]) -> str | None:
    """The name of the model that was used last; None, with a notice, where that is not possible any more."""
    try:
        choose(last)
    except ModelError as error:
        notices.append(f"{last} was used last and is not usable now: {error}")
        return None
    return last


def preferred_model(config: Config, agent: Agent) -> str | None:
    """The user's word for this agent, then the agent's own."""
    choice = config.agents.get(agent.name)
    return (choice.model if choice else None) or agent.model


async def _existing(store: Store, opening: Opening, workspace: str) -> Session | None:
    if opening.resume is not None:
        found = [
            record
            for record in await store.read(sessions.listed, None, limit=_ALL)
            if record.id.startswith(opening.resume.upper())
        ]
        if len(found) != 1:
            what = "no session" if not found else f"{len(found)} sessions"
            raise OpeningError(f"{what} with an id that starts with {opening.resume}; see `wakeful sessions`")
        return found[0]
    if opening.proceed == "newest":
        return await store.read(sessions.newest, workspace)
    return None


def _model_name(opening: Opening, config: Config, agent: Agent, existing: Session | None) -> str | None:
    # One that began before any model was set up goes on with the one that is set now.
    stored = existing.model if existing and existing.model != OFFLINE else None
    named = (stored or opening.model_name) if opening.prefer_stored else (opening.model_name or stored)
    return named or preferred_model(config, agent) or config.model.default


def _agent_name(opening: Opening, existing: Session | None) -> str:
    if existing is None:
        return opening.agent or "build"
    return existing.agent if opening.prefer_stored else opening.agent or existing.agent


def _model(opening: Opening, config: Config, name: str | None) -> Chosen:
    if opening.model is not None:
        return Chosen(name or "scripted", opening.model)
    return choose_model(name, config, opening.environment, opening.paths)


async def _create(
    opening: Opening, store: Store, root: Path, config: Config, agent: Agent, chosen: Chosen
) -> Session:
    cap = opening.max_cost if opening.max_cost is not None else config.budget.max_cost
    return await store.write(sessions.create, str(root), agent=agent.name, model=chosen.name, max_cost=cap)


async def _changed(
    opening: Opening, store: Store, existing: Session, agent: Agent, chosen: Chosen
) -> Session:
    """A session that is continued, with what this opening asks for otherwise."""
    if not opening.modelless and (existing.agent, existing.model) != (agent.name, chosen.name):
        await store.write(sessions.switch, existing.id, agent=agent.name, model=chosen.name)
    if opening.max_cost is not None:
        await store.write(sessions.set_budget, existing.id, opening.max_cost)
    return await store.read(sessions.get, existing.id)


def _unknown(config: Config, record: Session, *, said: bool) -> list[str]:
    """What had to be assumed of the model: told when it is first met, and a cap it bears on every time."""
    if record.model == OFFLINE:
        return []
    entry = catalog.look_up(record.model, context=config.model.context)
    if entry.prices is None and record.max_cost is not None:
        return [uncountable(record.model, record.max_cost, config.wake.max_tokens)]
    return [entry.note] if entry.note and not said else []


async def _instructions(store: Store, root: Path) -> Instructions:
    folders = [str(folder) for folder in (root, *root.parents)]
    trusted = await store.read(workspaces.trusted, folders)
    return await asyncio.to_thread(project_instructions, root, frozenset(map(Path, trusted)))


def _unused(file: Path) -> str:
    if file.is_symlink():
        return f"{file} is not used: it is a link to a place that is not trusted"
    return f"{file} is not used: its folder is not trusted; `wakeful trust {file.parent}` changes that"


def _has_project_files(root: Path) -> bool:
    return any((root / name).exists() for name in (".wakeful", "AGENTS.md"))
