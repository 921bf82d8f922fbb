"""A model that says, plans, writes and asks whatever it is given: attacks in every place of the app."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from agent.models.protocol import BadRequestError
from agent.models.scripted import Answer, Scripted, said
from tests.attacks import attacks

# Letters that terminals, fonts and libraries do not agree about.
WIDTHS = [
    "⚠️ 警告 ❤️ ☎️",
    "👨‍👩‍👧‍👦 family 🏳️‍🌈 flag 🇩🇪🇫🇷 🇩 alone",
    "👍🏽 1️⃣ ✔️ ©️ ‼️",
    "한글 ᄒ\u1161\u11ab क्षि ก็ำ مرحبا שלום",
    "\uff21 full ｱ half ﷽ ௵ 𒐫",
    "tab\there\tand\tthere",
    "\u0301\u0302 marks first",
    "e\u0301\u0323 n\u0303 Z\u0351\u036b\u0343",
    "\u00ad soft\u00adhyphen \u034f \u115f \u1160 \u3164 \uffa0",
]
_HANDFUL = 10
END = "THE END OF IT"
# A rule for exactly this line frees it, whether there is a sandbox or not.
SHOW = "sh show.sh"


def texts() -> list[str]:
    rows = attacks("escape", "command-display", "path")
    return [*(row.text for row in rows if "\0" not in row.text), *WIDTHS]


def names() -> list[str]:
    """Those that a file may have."""
    found = (os.fsdecode(text.encode("utf-8", "surrogateescape")[:90]) for text in texts() if _encodes(text))
    return [name for name in found if "/" not in name and name.strip(".")]


def project(folder: Path) -> None:
    """Files with such names, such contents, and a branch of that kind."""
    (folder / ".git").mkdir(parents=True)
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/b\x1b]2;owned\x07\x9b2Jr[/]\n")
    for number, text in enumerate(texts()):
        (folder / f"{number}.txt").write_bytes(text.encode("utf-8", "surrogatepass"))
    (folder / "show.sh").write_text("cat *.txt; ls -1\n")
    for name in names():
        if not (folder / name).is_dir():
            (folder / name).write_text("named")


def foreign() -> Scripted:
    """Needs `permissions.mode = "auto"`; asks three questions and fails at the end."""
    every = list(enumerate(spoken()))
    answers = [_handful(every[start : start + _HANDFUL]) for start in range(0, len(every), _HANDFUL)]
    answers.append(said("", ("glob", {"pattern": "*"}), ("shell", {"command": SHOW})))
    answers += [_asked([text for _, text in every[start:][:3]]) for start in (-9, -6, -3)]
    answers.append(said(END))
    answers.append((BadRequestError("\x1b]2;owned\x07\x9b2J[/]\u202eno"),))
    return Scripted(answers)


def _handful(some: Sequence[tuple[int, str]]) -> Answer:
    """Said, thought, planned, looked for and written."""
    todos = [
        {
            "title": f"{number} {' '.join(text.split()) if _one_line(text) else ''}"[:190],
            "notes": text[:900],
            "status": "blocked",
            "blocked_reason": text[:190],
            "blocked_on": "human",
        }
        for number, text in some
    ]
    calls = [("glob", {"pattern": f"{text[:900]}*"}) for _, text in some]
    together = "\n\n".join(text[:9_000] for _, text in some)
    calls.append(("write", {"path": f"{some[0][0]}.new", "content": together}))
    return said(together, ("todo_add", {"items": todos}), *calls, reasoning=together)


def _asked(some: Sequence[str]) -> Answer:
    question, *choices = some
    return said("", ("ask_user", {"question": f"? {question}", "choices": [f"= {each}" for each in choices]}))


def spoken() -> list[str]:
    """As they come from a provider: what reads its replies lets no half of a pair through."""
    return [text.encode("utf-8", "replace").decode() for text in texts()]


def _one_line(text: str) -> bool:
    """Others are refused as titles before anyone could see them."""
    return not any(ord(each) < 32 or 0x7F <= ord(each) < 0xA0 for each in text)


def _encodes(text: str) -> bool:
    try:
        text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return False
    return True
