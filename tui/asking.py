"""Questions to a person: which keys answer one, and what a typed line means as an answer."""

from __future__ import annotations

from agent.events import Choice, QuestionAsked
from store.frozen import frozen
from tui.escapes import safe


@frozen
class Reply:
    choice: str
    text: str = ""


def told(asked: QuestionAsked) -> tuple[list[str], str]:
    """What the prompt leaves out, line by line, and why it is asked at all."""
    rows = safe(asked.detail).split("\n") if asked.detail else []
    return rows, f"({safe(asked.reason)})" if asked.reason else ""


def title(asked: QuestionAsked) -> str:
    """The question as a sentence, such as "Edit calc.py?" or "Run this command?"."""
    prompt = safe(asked.prompt)
    return f"{prompt[:1].upper()}{prompt[1:]}?" if asked.purpose == "permission" else prompt


def hint(asked: QuestionAsked) -> str:
    if asked.purpose == "ask_user":
        keys = f"1-{len(asked.choices)} chooses, or " if asked.choices else ""
        return f"{keys}type your answer"
    return "   ".join(f"{choice.key} {choice.label}" for choice in asked.choices)


def keys(asked: QuestionAsked) -> str:
    """The hint in short, beside something else."""
    return "/".join(choice.key for choice in asked.choices)


def by_key(asked: QuestionAsked, key: str) -> Choice | None:
    return next((choice for choice in asked.choices if choice.key == key), None)


def by_line(asked: QuestionAsked, line: str) -> Reply | None:
    """`y`, `yes`, `no because …`, `2`, or free words where those are asked for; None when it is no answer."""
    first, _, rest = line.strip().partition(" ")
    word = first.rstrip(":,").lower()
    for choice in asked.choices:
        spelled = {choice.key.lower(), choice.name.lower(), *_LONG.get(choice.key, ())}
        if word in spelled and (not rest or choice.text):
            return Reply(choice.name, rest.strip())
    if asked.purpose != "ask_user" or not line.strip():
        return None
    # Where choices are offered the core wants one of them; words of one's own go with it and win.
    return Reply(asked.choices[0].name if asked.choices else "", line.strip())


_LONG = {"y": ("yes",), "n": ("no",)}
