import random

import pytest

from agent.context import sizes
from agent.context.history import to_chat
from agent.context.outline import outline
from agent.context.trimming import MARKER, trimmed
from agent.models.protocol import ChatMessage
from store.records import Message
from tests.agent.context.histories import call, file, replied, said, summary
from tests.provider.strict import complaint

WISH: ChatMessage = {"role": "user", "content": "Summarise."}


def history(chance: random.Random) -> list[Message]:
    def length() -> int:
        return chance.choice((3, 40, 900, 30_000))

    turns = [
        chance.choice(
            (
                lambda: said("u" * length()),
                lambda: replied("t" * length(), call("o" * length(), identity="a"), call("p" * length())),
                lambda: replied("", call("q", arguments='{"content": "' + "w" * length() + '"}')),
                lambda: replied("seen", call("attached"), file()),
            )
        )()
        for _ in range(chance.randrange(1, 60))
    ]
    return [said("begin"), *turns]


@pytest.mark.parametrize("seed", range(25))
def test_whatever_is_trimmed_fits_and_is_valid(seed: int):
    chance = random.Random(seed)
    chat = (*to_chat("system", history(chance)), WISH)
    budget = chance.choice((400, 3_000, 20_000))

    short = trimmed(chat, budget)

    assert sizes.of_chat(short) <= budget or short == chat
    assert (short[0], short[-1]) == (chat[0], WISH)
    assert complaint({"messages": list(short)}) is None
    assert short == chat or MARKER in str(short)


def test_what_fits_keeps_its_bytes():
    chat = (*to_chat("system", [said("a"), replied("b")])[:-1], WISH)

    assert trimmed(chat, 10_000) == chat


def test_an_outline_tells_what_was_asked_done_and_said():
    told = outline(
        [
            summary("earlier: the login was built"),
            said("now write the tests"),
            replied("", call("x", tool="edit", arguments='{"path": "tests/test_login.py"}')),
            replied("", call("x", tool="shell", arguments='{"command": "make test"}', status="failed")),
            replied("Two tests fail."),
        ],
        2_000,
    )

    for words in (
        "earlier: the login was built",
        "- now write the tests",
        "- edit path=tests/test_login.py",
        "- shell command=make test (failed)",
        "Two tests fail.",
    ):
        assert words in told


def test_an_outline_of_anything_stays_in_its_budget():
    long = [said("a" * 90_000), *(replied("b" * 5_000, call(arguments="{")) for _ in range(300))]

    assert sizes.tokens(outline(long, 1_000)) < 1_050
