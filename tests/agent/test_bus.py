import asyncio

from agent.bus import Bus, Subscription
from agent.events import Event, Notice, ReasoningDelta, TextDelta


async def drained(subscription: Subscription) -> list[Event]:
    return [event async for event in subscription]


async def test_every_subscriber_gets_every_event_in_order_with_growing_numbers():
    bus = Bus("S")
    with bus.subscribe() as one, bus.subscribe() as two:
        for number in range(50):
            bus.emit(Notice("info", str(number)))
        bus.close()

        first, second = await drained(one), await drained(two)

    assert first == second
    assert [event.seq for event in first] == list(range(1, 51))
    assert {event.session for event in first} == {"S"}


async def test_deltas_that_piled_up_merge_only_within_one_part():
    bus = Bus()
    with bus.subscribe(merged=True) as slow, bus.subscribe() as raw:
        for event in (
            TextDelta(1, 1, "a"),
            TextDelta(1, 1, "b"),
            TextDelta(1, 2, "c"),
            ReasoningDelta(1, 2, "d"),
            Notice("info", "between"),
            ReasoningDelta(1, 2, "e"),
        ):
            bus.emit(event)
        bus.close()

        merged, whole = await drained(slow), await drained(raw)

    texts = [event.text for event in merged if isinstance(event, TextDelta | ReasoningDelta | Notice)]
    assert texts == ["ab", "c", "d", "between", "e"]
    assert [event.seq for event in merged] == [2, 3, 4, 5, 6]
    assert len(whole) == 6


async def test_a_subscriber_that_keeps_up_gets_single_deltas_though_it_asked_for_merged():
    bus = Bus()
    seen: list[str] = []

    async def listen(subscription: Subscription) -> None:
        async for event in subscription:
            assert isinstance(event, TextDelta)
            seen.append(event.text)

    with bus.subscribe(merged=True) as subscription:
        listening = asyncio.ensure_future(listen(subscription))
        for letter in "abc":
            bus.emit(TextDelta(1, 1, letter))
            await asyncio.sleep(0)
            await asyncio.sleep(0)
        bus.close()
        await listening

    assert seen == ["a", "b", "c"]


async def test_a_subscriber_that_left_is_forgotten():
    bus = Bus()
    with bus.subscribe() as gone:
        pass

    bus.emit(Notice("info", "late"))
    gone.push(None)

    assert await drained(gone) == []


async def test_a_subscriber_that_comes_after_the_end_does_not_wait():
    bus = Bus()
    bus.close()

    with bus.subscribe() as late:
        assert await drained(late) == []
