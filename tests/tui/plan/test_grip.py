from textual.app import App, ComposeResult
from textual.events import MouseDown, MouseEvent, MouseMove, MouseUp

from tui.plan.grip import Grip
from tui.theme import load_theme
from tui.transcript.ink import Ink


class Held(App[None]):
    def __init__(self) -> None:
        super().__init__()
        self.dragged: list[tuple[int, bool]] = []

    def compose(self) -> ComposeResult:
        yield Grip(Ink(load_theme()))

    def on_grip_dragged(self, message: Grip.Dragged) -> None:
        self.dragged.append((message.column, message.done))


def at(kind: type[MouseEvent], grip: Grip, x: int) -> MouseEvent:
    return kind(grip, x, 5, 0, 0, 1, False, False, False, screen_x=x, screen_y=5)


async def test_a_hand_faster_than_the_screen_is_followed_in_steps_of_the_screen():
    app = Held()
    async with app.run_test() as pilot:
        grip = app.query_one(Grip)
        grip.post_message(at(MouseDown, grip, 50))
        for x in range(49, 9, -1):
            grip.post_message(at(MouseMove, grip, x))
        await pilot.pause()
        steps = len(app.dragged)
        grip.post_message(at(MouseMove, grip, 12))
        grip.post_message(at(MouseUp, grip, 12))
        await pilot.pause()

    assert 0 < steps < 10
    assert app.dragged[-1] == (12, True)
    assert [done for _, done in app.dragged].count(True) == 1
