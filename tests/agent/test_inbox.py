from agent.inbox import Inbox


def inbox(*texts: str) -> Inbox:
    made = Inbox()
    for text in texts:
        made.add(text)
    return made


def test_messages_are_taken_in_their_order():
    waiting = inbox("a", "b")

    assert waiting.take().text == "a"
    assert waiting.texts == ("b",)


def test_one_that_was_taken_back_is_not_taken_any_more():
    waiting = inbox("a", "b")
    first, _ = waiting

    assert waiting.withdraw(first.id) == first
    assert waiting.withdraw(first.id) is None
    assert waiting.texts == ("b",)


def test_one_is_moved_within_the_ends():
    waiting = inbox("a", "b", "c")
    first, _, last = waiting

    assert waiting.move(last.id, -1)
    assert waiting.texts == ("a", "c", "b")
    assert waiting.move(first.id, 9)
    assert waiting.texts == ("c", "b", "a")
    assert waiting.move(first.id, -9)
    assert waiting.texts == ("a", "c", "b")
    assert not waiting.move(99, 1)


def test_what_came_too_late_for_a_turn_goes_first_under_new_names():
    waiting, steering = inbox("later"), inbox("x", "y")
    waiting.put_first(steering)

    assert waiting.texts == ("x", "y", "later")
    assert len(steering) == 0
    assert len({each.id for each in waiting}) == 3
