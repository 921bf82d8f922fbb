from agent.context.window import RESERVE, window_of, with_room
from agent.models.catalog import Entry


def entry(context: int, max_output: int) -> Entry:
    return Entry("m", context, max_output, None)


def test_the_reply_is_kept_room_for_up_to_the_reserve():
    assert window_of(entry(200_000, 8_000)).usable == 192_000
    assert window_of(entry(200_000, 64_000)).usable == 200_000 - RESERVE


def test_a_reply_as_long_as_the_user_wants_it_has_room_beside_the_conversation():
    assert window_of(entry(32_000, 12_000)).usable == 20_000


def test_a_model_that_may_say_as_much_as_it_reads_still_reads_something():
    assert window_of(entry(8_000, 8_000)).usable == 4_000
    assert window_of(with_room(entry(8_000, 8_000))).usable == 6_000
