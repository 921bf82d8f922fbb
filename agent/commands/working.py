"""How the agent works: whether it goes on, with which model and agent, for how much money."""

from __future__ import annotations

import asyncio
import math
from typing import Annotated

from agent.commands.errors import CommandError
from agent.commands.registry import Completion, Context, Kind, command
from agent.commands.results import Option, Picker, Result, Table, Text
from agent.events import Notice
from agent.models.choosing import check_model, own_endpoints
from agent.models.direct import Endpoint
from agent.models.offers import ModelOffer, described, local_models, model_offers
from agent.money import amount, is_priced
from agent.todos.lines import name as todo_name
from agent.todos.lines import ratio
from agent.wake import Stay, Wake
from store import sessions
from store.clock import short
from store.records import Session, Spent

NONE = "none"
# Seconds in which a list of models comes without a word.
_GLANCE = 0.3


def _amount(word: str) -> float | None:
    if word.lower() == NONE:
        return None
    amount = float(word.removeprefix("$"))
    if not math.isfinite(amount):
        raise ValueError(word)
    if amount <= 0:
        raise CommandError("a cap is above 0", "/budget none lifts it", code="usage")
    return amount


async def _amounts(context: Context, typed: str) -> list[Completion]:
    del context, typed
    return [Completion(NONE, NONE, "no cap")]


async def _models(context: Context, typed: str) -> list[Completion]:
    del typed
    return [Completion(each.name, each.name, each.detail) for each in await _offered_models(context)]


async def _agents(context: Context, typed: str) -> list[Completion]:
    del typed
    agents = context.opened.agents.values()
    return [Completion(each.name, each.name, each.description) for each in agents if each.mode == "primary"]


AMOUNT = Kind("AMOUNT|none", _amount, _amounts)
MODEL = Kind("MODEL", complete=_models)
AGENT = Kind("AGENT", complete=_agents)


async def _wake(context: Context) -> Result:
    session = context.opened.session
    if await session.wake():
        return Text("trying again")
    left = session.agenda.open_count
    decision = session.decision(await context.opened.store.read(sessions.get, session.id))
    if left and isinstance(decision, Stay) and decision.state == "idle":
        return Text(decision.line)
    return Text(f"awake · {left} open" if left else "awake · nothing is open; type what to do")


async def _hold(context: Context) -> Result:
    await context.opened.session.hold()
    return Text("held: nothing runs by itself until you type or /wake")


async def _budget(context: Context, amount: Annotated[float | str | None, AMOUNT] = "") -> Result:
    session, opened = context.opened.session, context.opened
    if isinstance(amount, str):
        record = await opened.store.read(sessions.get, session.id)
        spent = _spent(record, priced=await is_priced(opened.store, record.id))
        return Text(f"{spent}; /budget AMOUNT sets a cap, /budget none lifts it")
    await session.set_budget(amount)
    record = await opened.store.read(sessions.get, session.id)
    unknown = amount is not None and not session.limits.priced
    note = f"; the price of {opened.model_name} is unknown, so the cap counts tokens" if unknown else ""
    return Text(f"{_spent(record, priced=await is_priced(opened.store, record.id) or unknown)}{note}")


async def _model(context: Context, wanted: Annotated[str, MODEL] = "") -> Result:
    opened = context.opened
    current = opened.workshop.chosen.name
    if not wanted:
        offers = await _offered_models(context, again=True)
        if current not in (each.name for each in offers):
            offers = [*described([current]), *offers]
        options = (
            Option(f"/model {each.name}", each.name, each.detail, each.name == current) for each in offers
        )
        return Picker("Model for the next turn", tuple(options), stem="/model ")
    unchecked = ""
    if opened.opening.model is None:
        opening = opened.opening
        unchecked = await check_model(
            wanted, opened.loaded.config, opening.environment, opening.paths, opened.listings
        )
    await opened.switch(model=wanted)
    notes = [note for note in (unchecked, opened.workshop.entry.note) if note]
    note = f" ({'; '.join(notes)})" if notes else ""
    return Text(f"{wanted} answers from the next turn on{note}")


async def _agent(context: Context, wanted: Annotated[str, AGENT] = "") -> Result:
    opened = context.opened
    primary = {each.name: each for each in opened.agents.values() if each.mode == "primary"}
    if not wanted:
        current = opened.workshop.agent.name
        options = (
            Option(f"/agent {each.name}", each.name, each.description, each.name == current)
            for each in primary.values()
        )
        return Picker("Agent for the next turn", tuple(options))
    if wanted in opened.agents and wanted not in primary:
        raise CommandError(f"{wanted} works for other agents only", f"there are: {', '.join(primary)}")
    await opened.switch(agent=wanted)
    shop = opened.workshop
    return Text(f"{wanted} works from the next turn on, with {shop.chosen.name}")


async def _cost(context: Context) -> Result:
    opened = context.opened
    # What is being worked on has its share up to now.
    await opened.session.agenda.account()
    record = await opened.store.read(sessions.get, opened.session.id)
    priced = await is_priced(opened.store, record.id)
    usage = record.usage
    rows = [
        ("input", f"{usage.input:,} tokens"),
        ("cache read", f"{usage.cache_read:,} tokens"),
        ("cache write", f"{usage.cache_write:,} tokens"),
        ("output", f"{usage.output:,} tokens"),
        ("money", _spent(record, priced=priced)),
    ]
    todos = (await opened.session.agenda.service.current()).todos
    rows += [(todo_name(todo), _taken(todo.spent, priced=priced)) for todo in todos if todo.spent != Spent()]
    return Table((), tuple(rows), "/budget AMOUNT sets a cap")


async def _status(context: Context) -> Result:
    opened = context.opened
    session, policy = opened.session, opened.gate.policy
    record = await opened.store.read(sessions.get, session.id)
    known = await session.agenda.service.current()
    no_auto = policy.mode == "auto" and policy.no_auto
    rows = (
        ("session", f"{record.id} {record.title}".strip()),
        ("folder", f"{record.workspace}{'' if opened.trusted else ' (not trusted)'}"),
        ("state", _state(context, record)),
        ("held", "yes; type or /wake to continue" if record.held_at else "no"),
        ("wakes", f"{record.wakes}/{session.limits.max_cycles}"),
        ("plan", f"{ratio(known.progress)} done, {session.agenda.open_count} open"),
        ("queued", str(len(session.queued))),
        ("model", opened.workshop.chosen.name),
        ("agent", opened.workshop.agent.name),
        ("permissions", f"{policy.mode} ({policy.no_auto})" if no_auto else policy.mode),
        ("sandbox", opened.workshop.sandbox.statement.removeprefix("sandbox: ")),
        ("context", _context(context)),
        ("money", _spent(record, priced=await is_priced(opened.store, record.id))),
    )
    return Table((), rows)


def _context(context: Context) -> str:
    keeper = context.opened.session.context
    return f"{keeper.size:,} of {keeper.limit:,} tokens ({100 * keeper.size / keeper.limit:.0f} %)"


def _state(context: Context, record: Session) -> str:
    """Decided now where no turn runs: what was stored is as old as the last turn."""
    session = context.opened.session
    if session.busy:
        return f"{record.state}: {record.reason}"
    match session.decision(record):
        case Stay() as stay:
            return stay.line
        case Wake(number, of):
            return f"about to wake ({number}/{of})"


async def _offered_models(context: Context, *, again: bool = False) -> list[ModelOffer]:
    """With `again` an endpoint that failed before is asked once more, and a failure is told."""
    opening, config = context.opened.opening, context.opened.loaded.config
    endpoints = await asyncio.to_thread(own_endpoints, config, opening.environment, opening.paths)
    asked = [
        ModelOffer(f"{provider}/{model}", f"at {endpoint.place}")
        for provider, endpoint in endpoints.items()
        for model in await _listed(context, endpoint, again=again)
    ]
    # The table of all models is 65 ms of reading.
    listed = await asyncio.to_thread(model_offers, config, opening.environment, opening.paths)
    here = await local_models(opening.environment)
    return list({each.name: each for each in (*asked, *listed, *here)}.values())


async def _listed(context: Context, endpoint: Endpoint, *, again: bool) -> tuple[str, ...]:
    """The models of an endpoint; one that takes its time is named meanwhile."""
    session, listings = context.opened.session, context.opened.listings
    asking = asyncio.ensure_future(listings.ask(endpoint, again=again))
    try:
        done, _ = await asyncio.wait([asking], timeout=_GLANCE)
        if again and not done:
            session.emit(Notice("info", f"asking {endpoint.place} for its models"))
        listing = await asking
    finally:
        asking.cancel()
    if again and listing.problem:
        session.emit(Notice("warning", f"no list of models: {listing.problem}; type /model NAME"))
    return listing.models


def _taken(spent: Spent, *, priced: bool) -> str:
    calls = f"{spent.calls} call{'' if spent.calls == 1 else 's'}"
    return f"{short(spent.milliseconds)}, {spent.tokens:,} tokens, {_cost_of(spent, priced=priced)}, {calls}"


def _cost_of(spent: Spent, *, priced: bool) -> str:
    # What a known model did on it has a known price, whatever the others in the session cost.
    return amount(spent.cost, priced=priced or bool(spent.cost), used=bool(spent.tokens))


def _spent(record: Session, *, priced: bool) -> str:
    spent = amount(record.cost, priced=priced, used=bool(record.usage.total))
    if not priced and record.usage.total:
        cap = "" if record.max_cost is None else f"; the cap of ${record.max_cost:.2f} counts tokens"
        return f"{spent}{cap}"
    return f"{spent} spent, no cap" if record.max_cost is None else f"{spent} of ${record.max_cost:.2f} spent"


COMMANDS = (
    command("wake", "Go on with open work, with a fresh budget of wakes", _wake, asking=True),
    command("hold", "Let the running turn end, then wait", _hold),
    command("budget", "Show or set what the session may cost, in dollars", _budget),
    command("model", "Choose the model of the next turn", _model),
    command("agent", "Choose the agent of the next turn", _agent),
    command("cost", "Show tokens and money, in all and by todo", _cost),
    command("status", "Show how things stand and with what settings", _status),
)
