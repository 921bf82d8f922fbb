"""Random calls that need approval, and the evidence of which of them ran."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from agent.models.protocol import Request
from agent.models.scripted import Answer, said

TOKEN = re.compile(r"t\d{6}x")
_NUMBERS = count()


@dataclass(frozen=True)
class Wanted:
    """One call, recognised by a word that no other call has; `verbs` are expected in the headline."""

    token: str
    name: str
    arguments: Mapping[str, Any]
    verbs: tuple[str, ...]
    lines: tuple[str, ...]


@dataclass
class Script:
    """The model: asks for the calls that are set next, and remembers what came of each."""

    root: Path
    rng: random.Random
    following: list[Wanted] = field(default_factory=list[Wanted])
    known: dict[str, Wanted] = field(default_factory=dict[str, Wanted])
    turns: int = 0

    def answer(self, request: Request) -> Answer:
        del request
        calls, self.following = self.following, []
        self.turns += not calls
        return said("" if calls else "done", *((call.name, call.arguments) for call in calls))

    def choose(self) -> None:
        """The calls of the next turn: some one after the other, or two that may run side by side."""
        kinds = [_shell, _shell, _write, _edit, _patch]
        chosen = (
            [_read, _read] if self.rng.random() < 0.2 else self.rng.choices(kinds, k=self.rng.randint(1, 2))
        )
        self.following = [kind(self.root, f"t{next(_NUMBERS):06d}x", self.rng) for kind in chosen]
        self.known |= {call.token: call for call in self.following}

    def ran(self, output: Mapping[str, str]) -> set[str]:
        """The tokens of the calls that did something; `output` is what reading calls gave, by token."""
        found = set(output)
        for token, call in self.known.items():
            place = self.root / f"made-{token}"
            old = self.root / f"seed-{token}"
            if place.exists() or (old.exists() and "new" in old.read_text()):
                assert call.name != "read"
                found.add(token)
        return found

    def reset(self) -> None:
        for token in self.known:
            for name in (f"made-{token}", f"seed-{token}", f"../outside/{token}"):
                (self.root / name).unlink(missing_ok=True)
        self.known.clear()


def _shell(root: Path, token: str, rng: random.Random) -> Wanted:
    del root
    command = f"touch made-{token}" + rng.choice(("", " && :", f"; : {'long ' * 30}", f"\n: {token}"))
    return Wanted(token, "shell", {"command": command}, ("run", "Run"), (f"touch made-{token}",))


def _write(root: Path, token: str, rng: random.Random) -> Wanted:
    del root
    content = f"one {token}\n" * rng.choice((1, 3, 60))
    return Wanted(
        token, "write", {"path": f"made-{token}", "content": content}, ("change", "Edit"), (f"one {token}",)
    )


def _edit(root: Path, token: str, rng: random.Random) -> Wanted:
    above = f"line of {token}\n" * rng.choice((0, 2, 40))
    (root / f"seed-{token}").write_text(f"{above}old {token}\n{above}")
    arguments = {"path": f"seed-{token}", "old": f"old {token}", "new": f"new {token}"}
    return Wanted(token, "edit", arguments, ("change", "Edit"), (f"new {token}",))


def _patch(root: Path, token: str, rng: random.Random) -> Wanted:
    del root, rng
    diff = f"--- /dev/null\n+++ b/made-{token}\n@@ -0,0 +1,2 @@\n+one {token}\n+two {token}\n"
    return Wanted(token, "patch", {"diff": diff}, ("change", "Edit"), (f"one {token}", f"two {token}"))


def _read(root: Path, token: str, rng: random.Random) -> Wanted:
    del rng
    outside = root.parent / "outside"
    outside.mkdir(exist_ok=True)
    (outside / token).write_text(f"content of {token}\n")
    return Wanted(token, "read", {"path": f"../outside/{token}"}, ("read", "Read"), (f"outside/{token}",))


def the_one(script: Script, shown: str) -> Wanted:
    """The call that a screen asks about; raises AssertionError if it shows another one's words."""
    tokens = set(TOKEN.findall(re.sub(r"[\s▌]", "", shown)))
    assert len(tokens) == 1, f"words of {len(tokens)} calls are on the screen:\n{shown}"
    return script.known[tokens.pop()]


def check_words(call: Wanted, headline: str, body: str) -> None:
    """The headline says what kind of call it is, the body what it would do, wherever lines were wrapped."""
    assert any(verb in headline for verb in call.verbs), f"a {call.name} is called {headline!r}"
    whole = re.sub(r"[\s▌]", "", headline + body)
    missing = [line for line in call.lines if re.sub(r"\s", "", line) not in whole]
    assert not missing, f"{call.name} {call.token}: {missing} is not on the screen:\n{headline}\n{body}"
