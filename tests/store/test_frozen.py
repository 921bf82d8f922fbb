import copy
import inspect
import pickle
from dataclasses import FrozenInstanceError, asdict, dataclass, field, fields, is_dataclass, replace

import pytest
from pydantic import TypeAdapter

from store.frozen import frozen


@frozen
class Point:
    x: int
    y: int = 2
    tags: tuple[str, ...] = ()
    seen: list[int] = field(default_factory=list[int], compare=False, repr=False)


@frozen(kw_only=True)
class Stamp:
    at: int = 0


@frozen
class Named(Stamp):
    """Positional ones come first, whatever their base wants by name."""

    name: str
    length: int = field(init=False, default=7)


@frozen
class Checked:
    share: float

    def __post_init__(self) -> None:
        if self.share > 1:
            raise ValueError(f"a share is at most 1, not {self.share}")


@frozen
class Nothing:
    pass


@dataclass(frozen=True, slots=True)
class Usual:
    x: int
    y: int = 2


def test_what_is_given_by_place_and_by_name_is_held_and_defaults_fill_the_rest():
    assert (Point(1).x, Point(1).y, Point(1, tags=("a",)).tags) == (1, 2, ("a",))
    assert (Named("n", at=3).at, Named("n").at, Named("n").length) == (3, 0, 7)
    assert Point(1).seen is not Point(1).seen


@pytest.mark.parametrize("wrong", [(), (1, 2, (), [], 5)])
def test_too_few_and_too_many_are_refused_every_time(wrong: tuple[int, ...]):
    for _ in range(2):
        with pytest.raises(TypeError, match="Point"):
            Point(*wrong)  # pyright: ignore[reportArgumentType, reportCallIssue]


def test_they_compare_and_hash_by_what_they_hold_and_by_their_class():
    assert Point(1, seen=[1]) == Point(1, seen=[2])
    assert Point(1) != Point(2)
    assert Point(1) != (1, 2, ())
    assert len({Point(1), Point(1), Point(2)}) == 2
    assert Nothing() == Nothing()
    assert Checked(1) != Point(1)


def test_nothing_of_them_can_be_changed_or_added():
    point = Point(1)

    for name in ("x", "z"):
        with pytest.raises(FrozenInstanceError):
            setattr(point, name, 5)
    with pytest.raises(FrozenInstanceError):
        del point.x  # pyright: ignore[reportAttributeAccessIssue]
    assert not hasattr(point, "__dict__")


def test_they_are_dataclasses_to_everybody_else():
    assert is_dataclass(Point)
    assert [each.name for each in fields(Point)] == ["x", "y", "tags", "seen"]
    assert replace(Point(1), y=5) == Point(1, 5)
    assert asdict(Named("n")) == {"at": 0, "name": "n", "length": 7}
    assert TypeAdapter(Point).validate_json('{"x": 1, "tags": ["a"]}') == Point(1, tags=("a",))
    match Point(1, 9):
        case Point(x, y):
            assert (x, y) == (1, 9)


def test_they_tell_what_they_are_made_of_before_any_is_made():
    @frozen
    class Unmade:
        x: int
        y: str = "a"

    assert [each.name for each in inspect.signature(Unmade).parameters.values()] == ["x", "y"]
    assert inspect.signature(Unmade).parameters["x"].annotation is int


def test_copies_are_equal():
    point = Point(1, tags=("a",), seen=[3])

    for made in (copy.copy(point), copy.deepcopy(point), pickle.loads(pickle.dumps(point))):
        assert made == point
        assert made.seen == [3]


def test_a_check_after_making_is_done():
    with pytest.raises(ValueError, match="at most 1"):
        Checked(2)


def test_they_look_as_dataclasses_do():
    assert repr(Point(1)) == "Point(x=1, y=2, tags=())"
    assert repr(Usual(1)).removeprefix("Usual") == "(x=1, y=2)"
