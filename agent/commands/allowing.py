"""What the agent may do: permission rules and answers, the mode, and trust in the folder."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, cast, get_args

from agent.commands.errors import CommandError
from agent.commands.kinds import number, one_of
from agent.commands.registry import Completion, Context, Kind, command
from agent.commands.results import Confirm, Reopen, Result, Table, Text
from agent.config import consent
from agent.permissions.grants import to_rules
from agent.permissions.policy import Mode
from agent.permissions.rules import Rule
from store import grants, workspaces
from store.records import Grant

MODES: tuple[str, ...] = get_args(Mode)


async def _numbers(context: Context, typed: str) -> list[Completion]:
    del typed
    return [Completion(str(each.id), str(to_rules([each])[0]), _scope(each)) for each in await _kept(context)]


GRANT = Kind("NUMBER", number, _numbers, example="1")
MODE = one_of("|".join(MODES), *MODES)
ANSWER = one_of("yes|no", "yes", "no")
YES = one_of("yes", "yes")


async def _permissions(context: Context) -> Result:
    kept = await _kept(context)
    given = to_rules(kept)
    rules = [rule for rule in context.opened.gate.policy.rules if rule not in given]
    rows = [("", str(rule), _origin(rule)) for rule in rules]
    rows += [(str(each.id), str(rule), _scope(each)) for each, rule in zip(kept, given, strict=True)]
    mode = f"mode: {context.opened.gate.policy.mode}; /permissions mode MODE changes it"
    if not rows:
        return Text(f"there are no rules, and no answer was kept\n{mode}")
    note = f"{mode}, /permissions forget NUMBER drops an answer"
    return Table(("number", "rule", "from"), tuple(rows), note)


async def _forget(context: Context, wanted: Annotated[int, GRANT]) -> Result:
    kept = {each.id: each for each in await _kept(context)}
    if wanted not in kept:
        there = f"there are {', '.join(map(str, kept))}" if kept else "none was kept"
        raise CommandError(f"no answer with number {wanted}", there)
    opened = context.opened
    await opened.store.write(grants.remove, wanted)
    gone = to_rules([kept.pop(wanted)])[0]
    if gone not in to_rules(kept.values()):
        rules = tuple(rule for rule in opened.gate.policy.rules if rule != gone)
        opened.gate.policy = replace(opened.gate.policy, rules=rules)
    return Text(f"forgotten: {gone}; it is asked about again")


async def _mode(context: Context, wanted: Annotated[str, MODE]) -> Result:
    gate = context.opened.gate
    gate.policy = replace(gate.policy, mode=cast("Mode", wanted))
    if wanted == "auto" and gate.policy.no_auto:
        raise CommandError(gate.policy.no_auto)
    unconfined = wanted == "auto" and not gate.policy.sandboxed and not gate.policy.forced_auto
    note = "; there is no sandbox, so shell commands are still asked about" if unconfined else ""
    return Text(f"mode: {wanted}{note}")


async def _trust(context: Context, answer: Annotated[str, ANSWER] = "") -> Result:
    opened = context.opened
    folder = opened.workshop.record.workspace
    place = await opened.store.read(workspaces.get, folder)
    trusted = place is not None and place.trusted_at is not None
    if not answer:
        if trusted:
            return Text(f"{folder} is trusted; /trust no changes that")
        used = "Its .wakeful/ settings, agents and commands and its AGENTS.md would be used."
        kept = "Endpoints, keys and allow rules are never taken from it."
        return Confirm(f"Trust {folder}?", f"{used}\n{kept}", "/trust yes")
    if trusted == (answer == "yes"):
        return Text(f"{folder} is {'' if trusted else 'not '}trusted already")
    await opened.store.write(workspaces.trust, folder, trusted=not trusted)
    return Reopen(opened.session.id, f"{folder} is {'no longer ' if trusted else ''}trusted")


async def _trust_models(context: Context, yes: Annotated[str, YES] = "") -> Result:
    """What was read at the start is what is agreed to, whatever the files say meanwhile."""
    opened = context.opened
    folder = opened.workshop.record.workspace
    if not opened.wishes:
        return Text(f"the settings of {folder} ask for no model that you have not agreed to")
    if not yes:
        asked = "\n".join(opened.wishes)
        told = "Your messages would go to that model, with your key where you have one for it."
        return Confirm(f"Use the models of {folder}?", f"{asked}\n{told}", "/trust models yes")
    await opened.store.write(consent.agree, folder, opened.wishes)
    return Reopen(opened.session.id, f"agreed: {', '.join(opened.wishes)}")


async def _kept(context: Context) -> tuple[Grant, ...]:
    opened = context.opened
    return await opened.store.read(grants.listed, opened.workshop.record.workspace, opened.session.id)


def _scope(grant: Grant) -> str:
    return "your answer, this session" if grant.session_id else "your answer, always here"


def _origin(rule: Rule) -> str:
    return {"global": "settings", "agent": "the agent", "session": "this command line"}.get(
        rule.layer, rule.layer
    )


COMMANDS = (
    command("permissions", "Show the rules, the answers that were kept, and the mode", _permissions),
    command("permissions forget", "Drop an answer that was kept", _forget),
    command("permissions mode", "Say what needs your consent from now on", _mode),
    command("trust models", "Use the models that a trusted folder's settings and agents name", _trust_models),
    command("trust", "Let this folder's own settings, agents and instructions take part", _trust),
)
