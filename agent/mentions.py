"""Files that a message mentions with `@path`, attached to that message for the model to read."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING

from agent.tools import read
from agent.tools.local import Doors, LocalWorkspace
from agent.tools.tool import Attachment, ToolError
from store.frozen import frozen

if TYPE_CHECKING:
    from agent.permissions.policy import Decision

# In quotes, or a word in which blanks may be escaped.
_MENTION = re.compile(r"""(?<![^\s(\[])@(?:"([^"\n]+)"|'([^'\n]+)'|((?:\\.|[^\s\\])+))""")
_ENDING = ".,;:!?)]}'\""
# A name with blanks may also be written as it is.
_MORE_WORDS = 6
_FILES = 20
_BYTES = 120_000
_LARGEST = 5_000_000

Judge = Callable[[str], "Decision"]


@frozen
class Mentioned:
    """`problems` tell the user which files stay out, and why."""

    attachments: tuple[Attachment, ...] = ()
    problems: tuple[str, ...] = ()


@frozen
class Mentions:
    """Reads on behalf of the user: a mention is consent for what may be read without a question."""

    workspace: LocalWorkspace = field(repr=False)
    judge: Judge = field(repr=False)

    async def attached(self, text: str, given: Sequence[Attachment] = ()) -> Mentioned:
        """The files that `text` mentions, without those that are in `given` already.

        A mention of a path that does not exist is plain text.
        """
        if "@" not in text:
            return Mentioned()
        paths = await asyncio.to_thread(_existing, text, self.workspace.root)
        pictures = {attachment.data for attachment in given}
        found: list[Attachment] = []
        problems: list[str] = []
        room = _BYTES
        for path in paths:
            try:
                attachment = await self._attachment(path)
            except (ToolError, OSError) as error:
                problems.append(f"@{path} is not attached: {error}")
                continue
            if attachment.data in pictures:
                continue
            size = len(attachment.data) if attachment.media_type == "text/plain" else 0
            if size > room or len(found) == _FILES:
                problems.append(f"@{path} is not attached: the files of this message are too large together")
                continue
            room -= size
            found.append(attachment)
        return Mentioned(tuple(found), tuple(problems))

    async def _attachment(self, path: str) -> Attachment:
        decision = self.judge(path)
        if decision.verdict != "allow":
            raise ToolError(f"{decision.reason}; ask the agent to read it if it should")
        outside = () if decision.outside is None else (decision.outside,)
        workspace = self.workspace.bound(Doors(), allowed=outside)
        real = workspace.resolve(path)
        if real.is_dir():
            listed = await asyncio.to_thread(read.listing, real)
            return Attachment("text/plain", listed.encode("utf-8", "replace"), f"{path.rstrip('/')}/")
        size = real.stat().st_size
        if size > _LARGEST:
            raise ToolError(f"it has {size:,} bytes; the agent can read parts of it")
        output = await read.read(workspace, path)
        if output.attachments:
            return output.attachments[0]
        return Attachment("text/plain", output.text.encode("utf-8", "replace"), path)


def _existing(text: str, root: Path) -> list[str]:
    """Paths of files and folders as they were written, each once."""
    found = (_path(match, text, root) for match in _MENTION.finditer(text))
    return list(dict.fromkeys(path for path in found if path))


def _path(match: re.Match[str], text: str, root: Path) -> str:
    quoted = match[1] or match[2]
    candidates = [quoted] if quoted else _spellings(match[3], text[match.end() :].partition("\n")[0])
    return next((path for path in candidates if _is_there(root, path)), "")


def _spellings(word: str, rest: str) -> Iterator[str]:
    """The longest name first: the words behind it may belong to it, a sign at its end may not."""
    plain = re.sub(r"\\(.)", r"\1", word)
    words = rest.split(" ")[1 : _MORE_WORDS + 1]
    for count in range(len(words), -1, -1):
        whole = " ".join([plain, *words[:count]])
        while whole:
            yield whole
            if whole[-1] not in _ENDING:
                break
            whole = whole[:-1]


def _is_there(root: Path, path: str) -> bool:
    try:
        real = root / Path(path).expanduser()
        return real.is_file() or (real.is_dir() and real.resolve().is_relative_to(root))
    except (OSError, ValueError, RuntimeError):
        # Too long a name, a NUL, or the home of nobody.
        return False
