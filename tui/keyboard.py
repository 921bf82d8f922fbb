"""All keys, by where they act, and what is wrong with the ones the user chose."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from textual.binding import Binding
from textual.dom import DOMNode

from store.frozen import frozen
from tui.app import WakefulApp
from tui.bindings import NONE, Keymap, bindings_of, keys_of, written
from tui.keynames import exists, is_typed, nearest, normal, same_as
from tui.plan.details import Details
from tui.plan.view import PlanView
from tui.screens.asking import LineScreen
from tui.screens.overlay import Overlay
from tui.screens.picker import PickerScreen
from tui.screens.queue import QueueScreen
from tui.screens.rewind import RewindScreen
from tui.screens.sessions import SessionScreen
from tui.screens.settings import SettingsScreen
from tui.transcript.view import Transcript
from tui.widgets.prompt import Prompt
from tui.widgets.question import QuestionPanel
from tui.widgets.search import SearchBar

PLACES: Mapping[str, type[DOMNode]] = {
    "Anywhere": WakefulApp,
    "At the prompt": Prompt,
    "In the plan": PlanView,
    "In the details of a todo": Details,
    "In the conversation": Transcript,
    "In a search": SearchBar,
    "In a question": QuestionPanel,
    "In a list": PickerScreen,
    "In the list to go back to": RewindScreen,
    "In the list of what waits": QueueScreen,
    "In the list of sessions": SessionScreen,
    "In the settings": SettingsScreen,
    "On a line that is asked for": LineScreen,
}
# Where letters are typed, so that none of them can be a key.
_TYPING = frozenset(PLACES) - {
    "In the plan",
    "In the details of a todo",
    "In the conversation",
    "In a question",
}


@frozen
class Bound:
    """A binding as it is now; `usual` are the keys it has by itself."""

    place: str
    name: str
    does: str
    keys: tuple[str, ...]
    usual: tuple[str, ...]
    priority: bool

    @property
    def changed(self) -> bool:
        return self.keys != self.usual


@frozen
class Unfit:
    """Something about the key of this `name`."""

    name: str
    text: str

    def __str__(self) -> str:
        return f"keys.{self.name}: {self.text}"


@frozen
class Checked:
    """What can be worn of what was wished, and a sentence on whatever cannot or takes a key from another."""

    keymap: Keymap
    problems: tuple[Unfit, ...]


def all_bound(keymap: Keymap) -> list[Bound]:
    found: dict[str, Bound] = {}
    for place, kind in PLACES.items():
        for each in bindings_of(kind):
            bound = _bound(place, each, keymap)
            found.setdefault(bound.name, bound)
    return list(found.values())


def check(wished: Keymap) -> Checked:
    known = {each.name: each for each in all_bound({})}
    problems: list[Unfit] = []
    kept: dict[str, str] = {}
    for name, keys in wished.items():
        problem = _refusal(name, keys, known)
        if problem:
            problems.append(Unfit(name, problem))
        else:
            kept[name] = ",".join(map(normal, keys.split(",")))
    bound = all_bound(kept)
    return Checked(kept, (*problems, *_doubles(bound), *_clashes(bound)))


def _bound(place: str, binding: Binding, keymap: Keymap) -> Bound:
    return Bound(
        place,
        binding.id or "",
        binding.description,
        tuple(keys_of(binding, keymap)),
        tuple(keys_of(binding, {})),
        binding.priority,
    )


def _refusal(name: str, keys: str, known: Mapping[str, Bound]) -> str:
    bound = known.get(name)
    if bound is None:
        from difflib import get_close_matches

        near = get_close_matches(name, known, 1)
        return f"no key has this name; {f'did you mean {near[0]}?' if near else '/keys lists them'}"
    for key in keys.split(","):
        if not exists(key):
            near = nearest(key)
            hint = f"did you mean {near}?" if near else "write it as ctrl+x or f2"
            return f"there is no key {key.strip()!r}; {hint}"
        if is_typed(key) and bound.place in _TYPING and normal(key) not in bound.usual:
            return f"{key.strip()!r} could no longer be typed; take one with ctrl or alt, or f1 to f12"
    return ""


def _doubles(bound: Sequence[Bound]) -> Iterator[Unfit]:
    """Keys that were chosen and come as another one from most terminals."""
    for each in bound:
        for key in each.keys:
            other = same_as(key)
            if other and key not in each.usual:
                text = f"most terminals send {written(other)} for {written(key)}"
                yield Unfit(each.name, f"{text}; give it another, unless yours does not")


def _clashes(bound: Sequence[Bound]) -> Iterator[Unfit]:
    """Where a key was chosen that something else has in the same place, or that never gets there."""
    for number, one in enumerate(bound):
        for other in bound[number + 1 :]:
            if not (one.changed or other.changed):
                continue
            # What two share by themselves was meant so.
            shared = _shared(one.keys, other.keys) - {NONE} - _shared(one.usual, other.usual)
            if shared and _meet(one, other):
                mine, theirs = (one, other) if one.changed else (other, one)
                text = f"{min(shared)} is also the key of {theirs.name} ({theirs.does.lower()})"
                yield Unfit(mine.name, f"{text}; give one of them another")


def _shared(one: Sequence[str], other: Sequence[str]) -> set[str]:
    return {*map(written, one)}.intersection(map(written, other))


def _meet(one: Bound, other: Bound) -> bool:
    """Keys of a place go before those that act anywhere, unless the latter go before all."""
    if _acts(one, other.place) or _acts(other, one.place):
        return True
    anywhere, there = (one, other) if one.place == "Anywhere" else (other, one)
    # Under what lies over the screen the keys of the app rest.
    if anywhere.place != "Anywhere" or issubclass(PLACES[there.place], Overlay):
        return False
    return anywhere.priority or there.place == "At the prompt"


def _acts(bound: Bound, place: str) -> bool:
    return any(each.id == bound.name for each in bindings_of(PLACES[place]))
