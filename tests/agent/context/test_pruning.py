from dataclasses import replace
from random import Random

import pytest

from agent.context.cuts import cut_output
from agent.context.history import PRUNED, to_chat, weight
from agent.context.pruning import SHORTEST, Pruning, prune
from store.records import Message, Part
from tests.agent.context.histories import call, file, replied, said

TOKEN = "word"


def output(tokens: int, number: int, tool: str = "read") -> Part:
    return call(TOKEN * tokens, tool=tool, identity=f"c{number}", number=number)


def pruned(history: list[Message], *, excess: int, protected: int) -> Pruning | None:
    return prune(history, {"todo_list", "skill"}.__contains__, excess=excess, protected=protected, moment=7)


def applied(history: list[Message], pruning: Pruning | None) -> list[Message]:
    assert pruning is not None
    changed = {part.id: part for part in pruning.parts}
    return [
        replace(each, parts=tuple(changed.get(part.id, part) if part.id else part for part in each.parts))
        for each in history
    ]


def test_outputs_beyond_the_newest_go_and_the_newest_stay():
    history = [said("go"), *(replied("", output(5_000, number)) for number in range(1, 6))]

    pruning = pruned(history, excess=9_000, protected=15_000)

    assert pruning is not None
    assert sorted(part.id for part in pruning.parts) == [1, 2]
    assert {part.pruned_at for part in pruning.parts} == {7}
    contents = [each.get("content") for each in to_chat("s", applied(history, pruning))]
    assert contents.count(PRUNED) == 2


def test_the_plan_and_skills_are_exempt_however_old():
    history = [
        replied("", output(5_000, 1, "todo_list"), output(5_000, 2, "skill")),
        replied("", output(5_000, 3)),
        replied("", output(5_000, 4)),
    ]

    pruning = pruned(history, excess=4_000, protected=5_000)

    assert pruning is not None
    assert [part.id for part in pruning.parts] == [3]


def test_old_pictures_go_and_leave_a_word():
    history = [said("look"), replied("", file(number=1)), replied("", output(2_000, 2))]

    pruning = pruned(history, excess=1_000, protected=1_000)

    assert pruning is not None
    assert [part.id for part in pruning.parts] == [1]
    sent = str(to_chat("s", applied(history, pruning)))
    assert "base64" not in sent
    assert "a.png was shown here; dropped to save context" in sent


def test_the_largest_are_cut_to_one_length_when_age_is_not_enough():
    history = [said("go"), replied("", output(9_000, 1), output(6_000, 2), output(1_500, 3))]
    before = sum(map(weight, history))

    pruning = pruned(history, excess=7_000, protected=40_000)

    after = applied(history, pruning)
    assert pruning is not None
    assert sorted(part.id for part in pruning.parts) == [1, 2]
    assert before - sum(map(weight, after)) >= 6_990
    assert "characters cut to save context" in str(to_chat("s", after))


def test_a_cut_output_can_be_cut_again():
    history = [said("go"), replied("", output(9_000, 1))]
    once = applied(history, pruned(history, excess=3_000, protected=40_000))

    twice = applied(once, pruned(once, excess=3_000, protected=40_000))

    assert weight(twice[1]) < weight(once[1]) < weight(history[1])
    assert twice[1].parts[0].output == history[1].parts[0].output


def test_a_cut_output_that_grew_old_is_dropped_whole():
    history = [said("go"), replied("", output(9_000, 1))]
    cut = applied(history, pruned(history, excess=3_000, protected=40_000))
    older = [*cut, replied("", output(5_000, 2))]

    after = applied(older, pruned(older, excess=5_000, protected=4_000))

    assert to_chat("s", after)[3].get("content") == PRUNED


def test_nothing_is_done_when_outputs_cannot_give_enough():
    history = [said("x" * 40_000), replied("", output(3 * SHORTEST, 1))]

    assert pruned(history, excess=2 * SHORTEST + 500, protected=40_000) is None
    assert pruned([said("x")], excess=1, protected=0) is None


def test_the_newest_are_left_alone_when_a_cut_would_give_little():
    history = [said("go"), *(replied("", output(5_000, number)) for number in range(1, 6))]

    pruning = prune(history, {"skill"}.__contains__, excess=10_200, needed=6_000, protected=15_000, moment=7)

    assert pruning is not None
    assert sorted(part.id for part in pruning.parts) == [1, 2]


@pytest.mark.parametrize("seed", range(40))
def test_no_cut_takes_less_than_a_tenth(seed: int):
    chance = Random(seed)
    weights = {number: chance.choice([900, 2_000, 5_000, 5_100, 9_900, 10_000]) for number in range(1, 12)}
    history = [said("go"), *(replied("", output(size, number)) for number, size in weights.items())]
    excess = chance.randrange(500, 25_000)

    pruning = pruned(history, excess=excess, protected=chance.choice([5_000, 30_000, 10**6]))

    kept = {part.id: cut_output(part) for part in pruning.parts} if pruning else {}
    shares = {number: len(text) / len(TOKEN) / weights[number] for number, text in kept.items() if text}
    assert all(share < 0.92 for share in shares.values()), (seed, shares)
    assert pruning is None or pruning.freed >= excess, seed
