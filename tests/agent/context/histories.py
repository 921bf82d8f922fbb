"""Messages as they are stored, for tests of what is made of them."""

import json

from agent.context.compaction import Mark
from store.records import Message, Origin, Part, Role, ToolStatus, Usage


def text(words: str) -> Part:
    return Part(0, 0, "text", text=words, ended_at=1)


def call(
    output: str | None = "ok",
    *,
    tool: str = "read",
    identity: str = "c",
    arguments: str = "{}",
    status: ToolStatus = "completed",
    number: int = 0,
) -> Part:
    return Part(
        number,
        0,
        "tool",
        call_id=identity,
        tool=tool,
        status=status,
        input=arguments,
        output=output,
        ended_at=1,
    )


# The first bytes of a picture, which is all that anybody looks at.
PICTURE = "iVBORw0KGgo="


def file(media: str = "image/png", data: str = PICTURE, name: str = "a.png", number: int = 0) -> Part:
    fields = {"media_type": media, "base64": data, "name": name}
    return Part(number, 0, "file", data=json.dumps(fields), ended_at=1)


def message(
    role: Role, *parts: Part, origin: Origin | None = None, number: int = 1, usage: Usage | None = None
) -> Message:
    whose: Origin = origin or ("human" if role == "user" else "agent")
    return Message(number, "S", role, whose, "", "m", usage or Usage(), 0.0, "stop", 1, 1, parts)


def said(words: str) -> Message:
    return message("user", text(words))


def replied(words: str = "", *calls: Part) -> Message:
    return message("assistant", *([text(words)] if words else []), *calls)


def summary(words: str, kept: int = 0, *, undone: bool = False) -> Message:
    mark = Mark(kept, 100, 10, automatic=True, undone=undone)
    part = Part(0, 0, "compaction", data=mark.to_json(), ended_at=1)
    return message("user", text(words), part, origin="summary")
