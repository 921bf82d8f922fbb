from tui.transcript.pacing import AT_ONCE, FRAME, SHARE, Pacer


def test_what_comes_after_a_pause_is_drawn_at_once():
    pacer = Pacer()
    pacer.drew(10.0, 10.001)

    assert pacer.delay(10.0 + 2 * FRAME) == 0


def test_what_comes_right_after_a_frame_waits_for_the_next():
    pacer = Pacer()
    pacer.drew(10.0, 10.001)

    assert round(pacer.delay(10.001), 6) == round(FRAME - 0.001, 6)


def test_a_frame_that_took_long_leaves_time_for_everything_else():
    pacer = Pacer()
    pacer.drew(10.0, 10.1)

    assert round(pacer.delay(10.1), 6) == round(SHARE * 0.1, 6)


def test_a_flood_is_drawn_in_portions_and_nothing_is_lost():
    pacer = Pacer()
    pacer.add("a", "x" * (AT_ONCE + 5))
    pacer.add("b", "y")

    taken = [pacer.take(), pacer.take()]

    assert taken == [{"a": "x" * AT_ONCE}, {"a": "x" * 5, "b": "y"}]
    assert not pacer.waiting
