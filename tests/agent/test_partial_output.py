"""What a call printed before it was cut off: bounded, and kept through a kill."""

import random
from pathlib import Path

from agent.journal import Journal
from agent.models.assemble import Call
from agent.partial_output import PartialOutput
from store import sessions
from store.database import open_store
from store.records import Usage
from tests.agent.openings import opening


def test_a_short_output_is_kept_as_it_is():
    partial = PartialOutput(20)

    for piece in ("one\n", "", "two\n"):
        partial.add(piece)

    assert partial.text == "one\ntwo\n"


def test_of_a_flood_the_beginning_and_the_end_are_kept():
    seed = random.randrange(2**32)
    chance = random.Random(seed)
    partial, whole = PartialOutput(1_000), ""

    for _ in range(300):
        piece = chance.choice("abc\n") * chance.randrange(60)
        whole += piece
        partial.add(piece)
        text = partial.text
        assert len(text) <= 1_100, seed
        if len(whole) > 1_000:
            assert text.startswith(whole[:500]), seed
            assert text.endswith(whole[-500:]), seed
        else:
            assert text == whole, seed


async def test_after_a_kill_the_output_so_far_is_still_there(tmp_path: Path):
    base = opening(tmp_path)
    async with open_store(base.paths.database) as store:
        record = await store.write(sessions.create, str(base.root), agent="build", model="scripted")
        journal = Journal(store, record.id, agent="build", model="scripted")
        await journal.say("go", "human")
        await journal.begin_reply()
        call = Call("c1", "shell", "{}", {})
        _, (pending,) = await journal.conclude([call], usage=Usage(), cost=0.0, finish="tool_calls")
        await journal.update_call(pending, "running", "line 1\n")
        again = Journal(store, record.id, agent="build", model="scripted")
        await again.load()

    part, _ = again.messages[-1].parts
    assert (part.status, part.output) == ("interrupted", "line 1\n")
