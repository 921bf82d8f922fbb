"""Decides the next move by playing the job again from its start with the answers it got so far.

A job is straight-line code that asks and is answered; the conversation is its only memory.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence

from agent.models.planner import dialects, transcript
from agent.models.planner.about import about
from agent.models.planner.dialects import SPOKEN
from agent.models.planner.listing import Listed, is_list
from agent.models.planner.plan import Plan
from agent.models.planner.quoting import harmless
from agent.models.planner.recognise import job_for, recognises
from agent.models.planner.transcript import Transcript
from agent.models.planner.work import Answer, Ask, Item, Job, Work
from agent.models.protocol import Request
from store.frozen import frozen

Play = Generator[tuple[Ask, ...], tuple[Answer, ...], str]

CANNOT = "the offline planner has no rule for this; set up a model or do it yourself"
NOTHING = "Nothing is left that the offline planner can do; what is still open needs you or a model."
STOPPED = "This was the last step allowed, so I stop here; what is still open stays on the list."


@frozen
class Move:
    text: str
    asks: tuple[Ask, ...] = ()


def next_move(request: Request) -> Move:
    if not request.tools and any(message["role"] == "assistant" for message in request.messages):
        return Move(harmless(_recap(request)))
    story = transcript.read(request, recognises)
    if story.last_step:
        return Move(STOPPED)
    job = job_for(story.wish)
    system = "\n".join(
        transcript.text_of(message) for message in request.messages if message["role"] == "system"
    )
    plan = Plan(dialects.offered(request.tools, system), story.before)
    names = {tool.name for tool in request.tools} | {SPOKEN}
    summary = _played(_carried_out(job, plan) if job else _explained(story), story, names)
    if isinstance(summary, Move):
        return summary
    added = _played(_attended(_strangers(story, plan, summary), plan), story, names)
    if isinstance(added, Move):
        return added
    fresh = [text for text in (harmless(summary), harmless(added)) if text and story.said_at(text) is None]
    return Move("\n\n".join(fresh) or NOTHING)


def _played(play: Play, story: Transcript, offered: set[str]) -> Move | str:
    """The first asks without an answer, or what the play returned."""
    try:
        asks = next(play)
        while True:
            answers = [
                story.answer(ask) if ask.tool in offered else Answer(f"Error: no tool {ask.tool} is offered")
                for ask in asks
            ]
            open_asks = tuple(ask for ask, answer in zip(asks, answers, strict=True) if answer is None)
            if open_asks:
                return Move("" if story.said else _opening(story), open_asks)
            asks = play.send(tuple(answer for answer in answers if answer is not None))
    except StopIteration as stop:
        return str(stop.value)


def _opening(story: Transcript) -> str:
    job = job_for(story.wish)
    return f"Offline planner (built-in rules, no language model): I am going to {job.aim}.\n\n" if job else ""


def _carried_out(job: Job, plan: Plan) -> Play:
    yield from plan.write([item.title for item in job.items])
    for item in job.items:
        plan.start(item.title)
        problem = yield from _worked(item, plan)
        plan.close(item.title, problem)
    yield from plan.settle()
    return "\n\n".join(text for text in (job.report(), plan.trouble) if text)


def _explained(story: Transcript) -> Play:
    yield from ()
    return about() if story.wish else ""


def _worked(item: Item, plan: Plan) -> Work:
    work = item.work()
    try:
        asks = next(work)
        while True:
            asks = work.send((yield from plan.along(asks)))
    except StopIteration as stop:
        return str(stop.value)


def _strangers(story: Transcript, plan: Plan, summary: str) -> list[Listed]:
    """Todos to take up that are not of this plan: those added since, and any that a wake points at."""
    own = set(plan.ids.values())
    known = own | {item.id for item in _first_shown(story)}
    ended = story.said_at(harmless(summary)) if summary else -1
    found: dict[int, Listed] = {}
    for shown in story.shown:
        woken = shown.told and ended is not None and shown.at > ended
        for item in shown.items:
            if item.workable and item.id not in own and (woken or item.id not in known):
                found.setdefault(item.id, item)
    return list(found.values())


def _first_shown(story: Transcript) -> Sequence[Listed]:
    """What was on the list when the plan was written."""
    first: list[Listed] = []
    for shown in story.shown:
        first += shown.items
        if not shown.told:
            break
    return first


def _attended(strangers: Sequence[Listed], plan: Plan) -> Play:
    texts: list[str] = []
    for item in strangers:
        job = job_for(item.title)
        plan.adopt(item)
        problem = "" if job else CANNOT
        if job is not None:
            plan.start(item.title)
            for part in job.items:
                found = yield from _worked(part, plan)
                problem = problem or found
        texts.append(job.report() if job else f"I cannot do #{item.id} ({item.title}): {CANNOT}.")
        plan.close(item.title, problem)
        yield from plan.settle()
    return "\n\n".join(texts)


def _recap(request: Request) -> str:
    """Without tools nothing can be done but say what there is; this is asked for when a context is full."""
    texts = [(message["role"], transcript.text_of(message)) for message in request.messages]
    wishes = [text for role, text in texts if role == "user" and not is_list(text) and recognises(text)]
    reports = [text for role, text in texts if role == "assistant" and text.strip()]
    wish = f"The newest request I acted on: {wishes[-1]}" if wishes else "I acted on no request."
    return f"{wish}\n\nWhat I last said:\n\n{reports[-1][:4_000]}" if reports else wish
