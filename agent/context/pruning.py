"""Which tool outputs to leave out of the prompt: the old ones whole, then the largest in part."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

from agent.context import sizes
from agent.context.attachments import blocks
from agent.context.cuts import cut_output, with_cut, without
from agent.context.history import PRUNED
from store.frozen import frozen
from store.records import Message, Part

# The newest outputs are what the model works with.
PROTECTED = 40_000
# Less than this of an output tells too little to be worth its place.
SHORTEST = 1_000
# What leaves less than this behind is not worth a broken prompt cache.
_WORTH = 50
# A cut gives at least a tenth: of the output it shortens, and of all that should go.
_TENTH = 10

Exempt = Callable[[str], bool]


@frozen
class Pruning:
    """The parts as they are to be stored, and how many tokens that frees by estimate."""

    parts: tuple[Part, ...]
    freed: int


@frozen
class _Shown:
    part: Part
    weight: int


def prune(
    messages: Sequence[Message],
    exempt: Exempt,
    *,
    excess: int,
    protected: int,
    moment: int,
    needed: int | None = None,
) -> Pruning | None:
    """Free `excess` tokens, at least the `needed` ones; None when outputs alone cannot give that much.

    The newest outputs are cut only where that frees a tenth or more: a cut changes what the provider's cache
    holds, and the next step would be over the limit again.
    """
    shown = list(_newest_first(messages, exempt))
    old, recent = _by_age(shown, protected)
    drops = [each for each in old if each.weight > _WORTH]
    freed = sum(each.weight - _left(each.part) for each in drops)
    dropped = tuple(without(each.part, moment) for each in drops)
    wanted = excess - freed
    enough = freed >= (excess if needed is None else needed) and wanted * _TENTH < excess
    if wanted <= 0 or (enough and dropped):
        return Pruning(dropped, freed) if dropped else None
    texts = [each for each in recent if each.part.kind == "tool"]
    limit = _limit([each.weight for each in texts], max(wanted, excess // _TENTH))
    if limit is None:
        return None
    cuts = [_cut(each, limit, moment) for each in texts if _shortened(each.weight, limit)]
    freed += sum(_shortened(each.weight, limit) for each in texts)
    return Pruning((*dropped, *cuts), freed)


def _newest_first(messages: Sequence[Message], exempt: Exempt) -> Iterator[_Shown]:
    for message in reversed(messages):
        for part in reversed(message.parts):
            if part.kind == "file" and part.pruned_at is None and blocks(part):
                yield _Shown(part, _file_weight(part))
            elif part.kind == "tool" and part.output and not exempt(part.tool or ""):
                text = part.output if part.pruned_at is None else cut_output(part)
                if text:
                    yield _Shown(part, sizes.tokens(text))


def _file_weight(part: Part) -> int:
    return sizes.of_message({"role": "user", "content": blocks(part)})


def _by_age(shown: Sequence[_Shown], protected: int) -> tuple[list[_Shown], list[_Shown]]:
    used = 0
    for at, each in enumerate(shown):
        if used >= protected:
            return list(shown[at:]), list(shown[:at])
        used += each.weight
    return [], list(shown)


def _left(part: Part) -> int:
    return sizes.tokens(PRUNED) if part.kind == "tool" else _WORTH // 2


def _limit(weights: Collection[int], wanted: int) -> int | None:
    """The greatest length to which cuts free as much as `wanted`; None when all outputs are too short."""
    low, high = SHORTEST, max(weights, default=0)
    if sum(_shortened(weight, low) for weight in weights) < wanted:
        return None
    while low < high:
        middle = (low + high + 1) // 2
        if sum(_shortened(weight, middle) for weight in weights) >= wanted:
            low = middle
        else:
            high = middle - 1
    return low


def _shortened(weight: int, limit: int) -> int:
    """How much a cut to this length frees; 0 where that would be too little to be worth it."""
    saved = weight - limit
    return saved if saved > 0 and saved * _TENTH >= weight else 0


def _cut(each: _Shown, limit: int, moment: int) -> Part:
    text = each.part.output or ""
    # Tokens are counted in bytes, cuts are made in characters.
    characters = max(1, limit * sizes.BYTES * len(text) // max(1, sizes.byte_count(text)) - len(PRUNED))
    return with_cut(each.part, characters, moment)
