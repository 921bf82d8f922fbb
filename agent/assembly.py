"""Puts the parts of a session together on the ground that was laid for it."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

from agent.agenda import asking, check_runner, owner_lives
from agent.artifacts import ArtifactService
from agent.bus import Bus
from agent.events import SessionRewound
from agent.executables import absolute_entries
from agent.gate import Gate
from agent.ground import Ground
from agent.journal import Journal
from agent.models.keys import secret_variables
from agent.own_process import hide_own_memory
from agent.permissions.environment import for_commands, for_line
from agent.permissions.grants import NewGrant, to_rules
from agent.permissions.paths import Places
from agent.permissions.policy import Policy
from agent.permissions.protected_places import workspace_objection
from agent.permissions.rules import parse_rules
from agent.permissions.sandbox import Confinement, Sandbox, find_sandbox
from agent.questions import Questions
from agent.rewind.baseline import Baseline
from agent.rewind.blobs import Blobs
from agent.rewind.cleanup import LIVE
from agent.rewind.ledger import Ledger
from agent.rewind.service import Outcome, RewindService
from agent.session import Session
from agent.todos.service import TodoService
from agent.tools.local import LocalWorkspace
from agent.wake import Limits
from agent.workshop import Workshop
from store import grants
from store.records import Grant


async def assemble(ground: Ground) -> Workshop:
    session = _session(ground)
    await asyncio.to_thread(hide_own_memory)
    places = _places(ground)
    # Trying bubblewrap takes a process, which must not hold up anything else.
    sandbox = await asyncio.to_thread(find_sandbox, places)
    gate = await _gate(ground, session, places, sandbox)
    workspace = _workspace(ground, places, sandbox)
    service = _todos(ground, session, workspace, gate)
    await service.current()
    folder = ground.record.workspace
    workspace.ledger = _ledger(ground, places)
    shop = Workshop(
        opening=ground.opening,
        config=ground.config,
        store=ground.store,
        record=ground.record,
        instructions=ground.instructions,
        session=session,
        gate=gate,
        workspace=workspace,
        sandbox=sandbox,
        service=service,
        artifacts=ArtifactService(ground.store, folder, session.id, service, session.emit),
        rewinds=_rewinds(ground, session, workspace, service),
        agent=ground.agent,
        chosen=ground.chosen,
        choose=ground.choose,
    )
    shop.equip()
    return shop


def _session(ground: Ground) -> Session:
    record = ground.record
    bus = Bus(record.id)
    return Session(
        ground.store,
        record,
        bus=bus,
        questions=Questions(bus.emit, attended=ground.opening.attended),
        journal=Journal(ground.store, record.id, agent=ground.agent.name, model=ground.chosen.name),
        limits=_limits(ground),
    )


def _limits(ground: Ground) -> Limits:
    wake, asked = ground.config.wake, ground.opening.max_wakes
    return Limits(
        max_cycles=wake.max_cycles if asked is None else asked,
        max_tokens=wake.max_tokens,
        max_minutes=wake.max_minutes,
        max_cost=ground.record.max_cost,
        stagnation=wake.stagnation,
    )


def _places(ground: Ground) -> Places:
    paths = ground.opening.paths
    private = dict.fromkeys((paths.config_folder, paths.data_folder, paths.state_folder))
    search = absolute_entries(ground.opening.environment.get("PATH", ""))
    # Beyond the workspace every edit is asked, so that only folders of commands within it matter.
    programs = [path for path in map(Path, search.split(os.pathsep)) if path.is_relative_to(ground.root)]
    return Places(
        ground.root,
        private=tuple(private),
        readable=(paths.outputs(ground.root),),
        programs=tuple(programs),
        path=search,
    )


async def _gate(ground: Ground, session: Session, places: Places, sandbox: Sandbox) -> Gate:
    kept = await ground.store.read(grants.listed, ground.record.workspace, session.id)
    policy = _policy(ground, places, sandbox, kept)
    return Gate(policy, session.questions, keep=_keeper(ground), waiting=session.waiting)


def _policy(ground: Ground, places: Places, sandbox: Sandbox, kept: tuple[Grant, ...]) -> Policy:
    """All but what the agent says, which comes with it."""
    opening = ground.opening
    rules = (
        *parse_rules(ground.config.permissions.rules),
        *to_rules(kept),
        *parse_rules(opening.allow, "session"),
    )
    return Policy(
        places,
        rules,
        sandboxed=sandbox.present,
        forced_auto=opening.auto,
        no_auto=workspace_objection(places),
    )


def _keeper(ground: Ground) -> Callable[[NewGrant], Awaitable[Grant]]:
    record = ground.record

    async def keep(grant: NewGrant) -> Grant:
        owner = None if grant.lasting else record.id
        return await ground.store.write(
            grants.add, record.workspace, owner, grant.tool, grant.pattern, grant.verdict
        )

    return keep


def _workspace(ground: Ground, places: Places, sandbox: Sandbox) -> LocalWorkspace:
    variables = {name: provider.key_env for name, provider in ground.config.providers.items()}
    network = ground.config.permissions.network
    environment = for_commands(ground.opening.environment, secret_variables(variables))
    return LocalWorkspace(
        root=places.root,
        logs=ground.opening.paths.outputs(ground.root),
        environment=environment,
        adding=partial(for_line, root=places.root, path=environment["PATH"]),
        confinement=Confinement(
            sandbox, places, ground.opening.paths.state_folder / "sandbox", network=network
        ),
        protected=(*places.private, places.root / ".git", places.root / ".wakeful"),
        secret=places.private,
    )


def _ledger(ground: Ground, places: Places) -> Ledger | None:
    limit = ground.config.rewind.max_megabytes * 1_000_000
    if not limit:
        return None
    snapshots = ground.opening.paths.snapshots
    baseline = Baseline(places.root, snapshots / LIVE / ground.record.id, limit // 4, excluded=places.private)
    # What a killed process left is no longer how things are.
    baseline.close()
    return Ledger(ground.store, ground.record.id, Blobs(snapshots, limit), baseline)


def _rewinds(
    ground: Ground, session: Session, workspace: LocalWorkspace, service: TodoService
) -> RewindService:
    async def told(outcome: Outcome) -> None:
        workspace.forget()
        rewind = outcome.rewind
        await session.rewound(
            SessionRewound(
                rewind.message_id,
                rewind.what,
                outcome.hidden,
                outcome.revealed,
                outcome.restored,
                tuple(path for path, _ in outcome.left),
            )
        )

    ledger = workspace.ledger
    assert ledger is None or isinstance(ledger, Ledger)
    return RewindService(
        ground.store,
        session.id,
        workspace.root,
        ledger,
        at_rest=session.at_rest,
        told=told,
        todos=service,
    )


def _todos(ground: Ground, session: Session, workspace: LocalWorkspace, gate: Gate) -> TodoService:
    return TodoService(
        ground.store,
        str(workspace.root),
        session.id,
        session.emit,
        alive=owner_lives(ground.opening.paths.locks),
        run_check=check_runner(workspace, gate),
        consent=asking(session.questions, session.waiting) if ground.opening.attended else None,
        limits=session.limits,
    )
