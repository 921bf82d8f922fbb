"""Keeps a session's history in memory and on disk at once, so that a kill at any point resumes cleanly."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from typing import Literal

from agent import turn_failure
from agent.models.assemble import Call
from agent.tools.tool import Attachment
from agent.turn_failure import TurnFailure
from store import messages, sessions
from store.clock import Millis, now
from store.database import Store, Writer
from store.records import Message, Origin, Part, ToolStatus, Usage

# A commit may cost 13 ms of disk, so what streams is saved a few times a second and at its end.
_SAVE_EVERY = 0.1
# Of a call that was interrupted before it did anything.
UNBEGUN = {"begun": False}
# More than a first screen shows.
_NEWEST = 50


class Journal:
    def __init__(self, store: Store, session_id: str, *, agent: str, model: str) -> None:
        self.session_id = session_id
        self.agent = agent
        self.model = model
        self.messages: list[Message] = []
        self._store = store
        self._parts: list[Part] = []
        self._saved_at = 0.0
        self.whole = True
        self.call_ids: set[str] = set()

    async def load(self) -> tuple[Message, ...]:
        """Close what was left in the middle of something, which is returned, and read the newest messages.

        A long history costs no more to open than a short one; `read_all` gets the rest when a model needs it.
        """
        torn = await self._store.read(messages.unfinished, self.session_id)
        if torn:
            await self._store.write(_close, self.session_id, torn)
        self.messages = list(await self._store.read(messages.load, self.session_id, limit=_NEWEST))
        self.whole = len(self.messages) < _NEWEST
        self._note_calls(self.messages)
        return torn

    async def read_all(self) -> None:
        if not self.whole:
            older = await self._store.read(messages.load, self.session_id, before=self.messages[0].id)
            if self.whole:
                # Somebody else asked for it in the same moment.
                return
            self._note_calls(older)
            self.messages[:0] = older
            self.whole = True

    async def say(self, text: str, origin: Origin, attachments: Sequence[Attachment] = ()) -> Message:
        """Add a user-role message, whole."""
        message = await self._store.write(write_message, self.session_id, text, origin, tuple(attachments))
        self.messages.append(message)
        return message

    async def begin_reply(self) -> Message:
        message = await self._store.write(
            messages.append, self.session_id, "assistant", "agent", agent=self.agent, model=self.model
        )
        self._parts = []
        self.messages.append(message)
        return message

    async def stream(self, kind: Literal["text", "reasoning"], text: str) -> Part:
        """Append to the part that is growing, or begin a new one when the kind changed."""
        last = self._parts[-1] if self._parts else None
        if last is None or last.kind != kind or last.ended_at is not None:
            await self._end_growing()
            draft = Part(0, self.messages[-1].id, kind, text=text, started_at=now())
            part = await self._store.write(messages.add_part, self.session_id, draft)
            self._parts.append(part)
            self._saved_at = _clock()
            return part
        self._parts[-1] = grown = replace(last, text=last.text + text)
        if _clock() - self._saved_at > _SAVE_EVERY:
            await self._store.write(messages.save_part, self.session_id, grown)
            self._saved_at = _clock()
        return grown

    @property
    def growing_text(self) -> str:
        return "".join(part.text for part in self._parts if part.kind == "text")

    async def rewrite(self, text: str) -> None:
        """Put `text` in the place of all the text that streamed in this reply."""
        texts = [part for part in self._parts if part.kind == "text"]
        for part in texts:
            changed = replace(part, text=text if part is texts[0] else "", ended_at=part.ended_at or now())
            await self._store.write(messages.save_part, self.session_id, changed)
            self._parts = [changed if known.id == part.id else known for known in self._parts]

    async def start_over(self, reason: str) -> None:
        """The reply broke off and comes again: what came of it must not be read twice.

        `begun` is stored as True when any of it had been on the screen.
        """
        dropped, self._parts = self._parts, []
        begun = any(part.kind != "retry" or turn_failure.data_of(part).get("begun") for part in dropped)
        data = json.dumps({"reason": reason, "begun": begun})
        draft = Part(0, self.messages[-1].id, "retry", data=data, started_at=now(), ended_at=now())
        part = await self._store.write(_replace_parts, self.session_id, tuple(dropped), draft)
        self._parts = [part]

    async def conclude(
        self, calls: Sequence[Call], *, usage: Usage, cost: float, finish: str
    ) -> tuple[Message, tuple[Part, ...]]:
        """End the reply, and store the calls it asks for and what the request used, in one transaction."""
        message = self.messages[-1]
        done = replace(message, usage=usage, cost=cost, finish=finish, ended_at=now())
        ended = [replace(part, ended_at=part.ended_at or now()) for part in self._parts]
        drafts = tuple(
            Part(
                0,
                message.id,
                "tool",
                call_id=call.id,
                tool=call.name,
                status="pending",
                input=call.arguments,
                started_at=now(),
            )
            for call in calls
        )
        stored = await self._store.write(
            _conclude, self.session_id, done, tuple(ended), (*drafts, _step(done))
        )
        pending = stored[:-1]
        self._parts = [*ended, *stored]
        self.call_ids.update(call.id for call in calls)
        self.messages[-1] = done
        self._publish()
        return self.messages[-1], pending

    async def update_call(
        self,
        part: Part,
        status: ToolStatus,
        output: str = "",
        *,
        data: str | None = None,
        attachments: Sequence[Attachment] = (),
        started_at: Millis | None = None,
    ) -> Part:
        """`started_at` where it really began later than it was called for."""
        ended = None if status == "running" else now()
        changed = replace(part, status=status, output=output or None, data=data, ended_at=ended)
        changed = replace(changed, started_at=started_at or part.started_at)
        files = tuple(_file(part.message_id, attachment) for attachment in attachments)
        added = await self._store.write(_save_call, self.session_id, changed, files)
        self._parts = [changed if known.id == part.id else known for known in self._parts]
        self._parts.extend(added)
        self._publish()
        return changed

    async def abandon(self, finish: str, failure: TurnFailure | None = None) -> None:
        """The turn was interrupted or failed: close whatever is still open, and store the failure with it."""
        last = self.messages[-1] if self.messages else None
        if failure is not None and (last is None or last.role != "assistant" or last.finish is not None):
            # It failed before the reply began.
            last = await self.begin_reply()
        if last is None or last.role != "assistant":
            return
        message = replace(last, parts=tuple(self._parts))
        if message.finish is None or any(_open(part) for part in message.parts):
            self.messages[-1] = await self._store.write(_abandon, self.session_id, message, finish, failure)
            self._parts = list(self.messages[-1].parts)

    async def amend(self, parts: Sequence[Part]) -> None:
        """Store these parts of messages that have ended as they are now."""
        await self._store.write(_save_parts, self.session_id, tuple(parts))
        changed = {part.id: part for part in parts}
        self._parts = [changed.get(part.id, part) for part in self._parts]
        for at, message in enumerate(self.messages):
            if any(part.id in changed for part in message.parts):
                known = tuple(changed.get(part.id, part) for part in message.parts)
                self.messages[at] = replace(message, parts=known)

    def absorb(self, stored: Sequence[Message]) -> None:
        """Messages that were stored elsewhere, in their place: somebody may have spoken meanwhile."""
        self.messages = sorted([*self.messages, *stored], key=lambda message: message.id)

    async def _end_growing(self) -> None:
        if self._parts and self._parts[-1].ended_at is None:
            self._parts[-1] = replace(self._parts[-1], ended_at=now())
            await self._store.write(messages.save_part, self.session_id, self._parts[-1])

    def _note_calls(self, history: Iterable[Message]) -> None:
        self.call_ids.update(part.call_id for message in history for part in message.parts if part.call_id)

    def _publish(self) -> None:
        self.messages[-1] = replace(self.messages[-1], parts=tuple(self._parts))


async def write_message(
    writer: Writer, session_id: str, text: str, origin: Origin, attachments: tuple[Attachment, ...] = ()
) -> Message:
    """A whole message on the user's side."""
    message = await messages.append(writer, session_id, "user", origin)
    moment = now()
    drafts = [Part(0, message.id, "text", text=text, started_at=moment, ended_at=moment)]
    drafts.extend(_file(message.id, attachment) for attachment in attachments)
    parts = [await messages.add_part(writer, session_id, draft) for draft in drafts]
    return replace(message, parts=tuple(parts))


def _step(message: Message) -> Part:
    """The request that `message` answers: how long it took, what it used, how the reply ended."""
    data = {"finish": message.finish, "cost": message.cost, "usage": asdict(message.usage)}
    return Part(
        0,
        message.id,
        "step",
        data=json.dumps(data),
        started_at=message.created_at,
        ended_at=message.ended_at,
    )


def _clock() -> float:
    return asyncio.get_running_loop().time()


def _open(part: Part) -> bool:
    return part.ended_at is None or part.status in ("pending", "running")


def _closed(part: Part) -> Part:
    ended = replace(part, ended_at=part.ended_at or now())
    match part.status:
        case "pending":
            return replace(ended, status="interrupted", data=json.dumps({"metadata": UNBEGUN}))
        case "running":
            return replace(ended, status="interrupted")
        case _:
            return ended


def _file(message_id: int, attachment: Attachment) -> Part:
    encoded = base64.b64encode(attachment.data).decode()
    data = {"media_type": attachment.media_type, "name": attachment.name, "base64": encoded}
    moment = now()
    return Part(0, message_id, "file", data=json.dumps(data), started_at=moment, ended_at=moment)


async def _replace_parts(writer: Writer, session_id: str, dropped: tuple[Part, ...], draft: Part) -> Part:
    for part in dropped:
        await messages.remove_part(writer, session_id, part)
    return await messages.add_part(writer, session_id, draft)


async def _save_parts(writer: Writer, session_id: str, parts: tuple[Part, ...]) -> None:
    for part in parts:
        await messages.save_part(writer, session_id, part)


async def _conclude(
    writer: Writer, session_id: str, message: Message, ended: tuple[Part, ...], drafts: tuple[Part, ...]
) -> tuple[Part, ...]:
    await _save_parts(writer, session_id, ended)
    added = [await messages.add_part(writer, session_id, draft) for draft in drafts]
    await _end(writer, session_id, message)
    await sessions.spend(writer, session_id, message.usage, message.cost)
    return tuple(added)


async def _end(writer: Writer, session_id: str, message: Message) -> None:
    await messages.end(
        writer,
        session_id,
        message.id,
        usage=message.usage,
        cost=message.cost,
        finish=message.finish or "",
        ended_at=message.ended_at,
    )


async def _save_call(
    writer: Writer, session_id: str, part: Part, files: tuple[Part, ...]
) -> tuple[Part, ...]:
    await messages.save_part(writer, session_id, part)
    return tuple([await messages.add_part(writer, session_id, file) for file in files])


async def _abandon(
    writer: Writer, session_id: str, message: Message, finish: str, failure: TurnFailure | None = None
) -> Message:
    parts = tuple(_closed(part) if _open(part) else part for part in message.parts)
    for before, after in zip(message.parts, parts, strict=True):
        if before != after:
            await messages.save_part(writer, session_id, after)
    if failure is not None:
        data, moment = turn_failure.to_data(failure), now()
        draft = Part(0, message.id, "retry", data=data, started_at=moment, ended_at=moment)
        parts = (*parts, await messages.add_part(writer, session_id, draft))
    closed = replace(message, parts=parts)
    if message.finish is None:
        closed = replace(closed, finish=finish, ended_at=now())
        await _end(writer, session_id, closed)
    return closed


async def _close(writer: Writer, session_id: str, torn: tuple[Message, ...]) -> None:
    for message in torn:
        await _abandon(writer, session_id, message, "interrupted")
