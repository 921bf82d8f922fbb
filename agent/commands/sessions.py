"""Sessions: which there are, going back to one, what this one is called, and when it is woken."""

from __future__ import annotations

from typing import Annotated

from agent.commands.errors import CommandError
from agent.commands.kinds import number
from agent.commands.registry import Completion, Context, Kind, command
from agent.commands.results import Option, Picker, Reopen, Result, Table, Text
from agent.overview import overviews
from agent.schedules import upcoming
from store import lock
from store import sessions as rows
from store.clock import age, local_time, now
from store.records import Session

_SHOWN = 50
_LONGEST = 200


async def _titles(context: Context, typed: str) -> list[Completion]:
    del typed
    return [
        Completion(each.id, each.title or each.id, f"{age(each.updated_at)} ago")
        for each in await _here(context)
        if each.id != context.opened.session.id
    ]


async def _schedule_ids(context: Context, typed: str) -> list[Completion]:
    del typed
    return [
        Completion(str(each.id), f"{each.id} {each.prompt}", each.cron)
        for each in await context.opened.session.schedules.list()
    ]


SESSION = Kind("SESSION", complete=_titles, rest=True)
NAMED = Kind("SESSION", complete=_titles, example='"the release"')
SCHEDULE = Kind("NUMBER", number, _schedule_ids, example="1")
CRON = Kind('"CRON"', example='"0 9 * * 1-5"')
PROMPT = Kind("PROMPT", rest=True, example="look at what is new")
TITLE = Kind("TITLE", rest=True, example="the release")


async def _sessions(context: Context) -> Result:
    opened = context.opened
    here, locks = opened.workshop.record.workspace, opened.opening.paths.locks
    options = [
        Option(
            f"/resume {each.session.id}",
            each.title,
            ", ".join(word for word in (each.state, each.plan, each.cost, f"{each.age} ago") if word),
            current=each.session.id == opened.session.id,
        )
        for each in await overviews(opened.store, locks, here, limit=_SHOWN)
    ]
    return Picker("Sessions of this folder, the latest first", tuple(options), topic="sessions")


async def _resume(context: Context, wanted: Annotated[str, SESSION] = "") -> Result:
    if not wanted:
        return await _sessions(context)
    here = context.opened.workshop.record.workspace
    found = find(await context.opened.store.read(rows.listed, None), wanted, here)
    if found.id == context.opened.session.id:
        return Text("this is the session you are in")
    if found.workspace != here:
        raise CommandError(
            f"session {found.id} belongs to {found.workspace}", f"wakeful -C {found.workspace} -r {found.id}"
        )
    owner = lock.owner(context.opened.opening.paths.locks, found.id)
    if owner is not None and not context.opened.session.questions.attended:
        raise CommandError(f"session {found.id} is open in process {owner}", "close it there first")
    name = found.title or found.id
    return Reopen(found.id, f"back to {name}" if owner is None else f"{name} runs in process {owner}")


async def _new(context: Context) -> Result:
    del context
    return Reopen(None, "a new session; /sessions has the one before")


async def _rename(context: Context, title: Annotated[str, TITLE]) -> Result:
    line = " ".join(title.split())
    if len(line) > _LONGEST or not line.isprintable():
        raise CommandError(f"the title is no plain line of at most {_LONGEST} characters", "make it simpler")
    await context.opened.store.write(rows.rename, context.opened.session.id, line)
    return Text(f"this session is called {line!r}")


async def _schedules(context: Context) -> Result:
    found = await context.opened.session.schedules.list()
    if not found:
        return Text('nothing is scheduled; /schedule add "0 9 * * 1-5" PROMPT wakes the agent at nine')
    moment = now()
    rows_ = tuple(
        (str(each.id), each.cron, _next(upcoming(each, moment)), " ".join(each.prompt.split()))
        for each in found
    )
    return Table(("number", "cron", "next", "prompt"), rows_, "they fire while this session is open")


async def _schedule_add(
    context: Context, cron: Annotated[str, CRON], prompt: Annotated[str, PROMPT]
) -> Result:
    words = f"{cron} {prompt}".split()
    if len(cron.split()) == 1 and not cron.startswith("@") and len(words) > 5:
        # Nobody who leaves out the quotes means the first field alone.
        cron, prompt = " ".join(words[:5]), " ".join(words[5:])
    session = context.opened.session
    added = await session.schedules.add(cron, prompt)
    session.stir()
    return Text(f"schedule {added.id} fires next at {_next(upcoming(added, now()))}")


async def _schedule_remove(context: Context, wanted: Annotated[int, SCHEDULE]) -> Result:
    removed = await context.opened.session.schedules.remove(wanted)
    return Text(f"schedule {removed.id} is gone: {removed.cron} {removed.prompt}")


async def _schedule_on(context: Context, wanted: Annotated[int, SCHEDULE]) -> Result:
    session = context.opened.session
    changed = await session.schedules.enable(wanted)
    session.stir()
    return Text(f"schedule {changed.id} is on; next at {_next(upcoming(changed, now()))}")


async def _schedule_off(context: Context, wanted: Annotated[int, SCHEDULE]) -> Result:
    changed = await context.opened.session.schedules.enable(wanted, enabled=False)
    return Text(f"schedule {changed.id} is off; /schedule on {changed.id} turns it on again")


async def _here(context: Context) -> tuple[Session, ...]:
    return await context.opened.store.read(rows.listed, context.opened.workshop.record.workspace)


def find(sessions: tuple[Session, ...], wanted: str, workspace: str) -> Session:
    """By the beginning of its id, else of its title in this folder."""
    start = wanted.casefold()
    by_id = [each for each in sessions if each.id.casefold().startswith(start)]
    titled = [
        each for each in sessions if each.workspace == workspace and each.title.casefold().startswith(start)
    ]
    found = by_id or titled
    if len(found) == 1:
        return found[0]
    if not found:
        raise CommandError(f"no session begins with {wanted!r}", "/sessions lists them")
    names = ", ".join(f"{each.id} {each.title}" for each in found[:5])
    raise CommandError(f"{len(found)} sessions begin with {wanted!r}: {names}", "give more of the id")


def _next(millis: int | None) -> str:
    return "never" if millis is None else local_time(millis)


COMMANDS = (
    command("sessions", "List the sessions of this folder", _sessions),
    command("new", "Begin a new session, with nothing said and nothing planned", _new),
    command("resume", "Go back to another session, by its id or title", _resume),
    command("rename", "Give this session another title", _rename),
    command("schedule", "List when this session is woken", _schedules),
    command("schedule add", 'Send a prompt at set times, such as "0 9 * * 1-5" or @daily', _schedule_add),
    command("schedule remove", "Delete a schedule", _schedule_remove),
    command("schedule on", "Turn a schedule on", _schedule_on),
    command("schedule off", "Turn a schedule off, and keep it", _schedule_off),
)
