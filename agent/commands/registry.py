"""Commands as data: each is a typed function, and its usage, help and completion are read off it."""

from __future__ import annotations

import inspect
import re
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from agent.commands.errors import CommandError, UnknownCommandError
from agent.commands.results import Result
from agent.opening import Opened
from store.frozen import frozen

_NAME = re.compile(r"/([A-Za-z][\w-]*)(?=\s|$)")
# What the same thing is called in other shells for agents.
ELSEWHERE = {
    "clear": "new", "reset": "new", "exit": "quit", "q": "quit", "bye": "quit", "config": "settings",
    "continue": "wake", "stop": "hold", "undo": "rewind", "tokens": "cost", "usage": "cost",
    "history": "sessions", "login": "setup", "mode": "permissions mode", "tasks": "todos",
}  # fmt: skip
_WORD = re.compile(r'\s*(?:"([^"]*)"|(\S+))\s*')


@frozen
class Completion:
    """`text` replaces what stands from `start` to the cursor; `label` and `detail` are for the menu.

    `names` when it is the name of a command, and `ready` when the line could be run with it as it is then.
    """

    text: str
    label: str
    detail: str = ""
    start: int = 0
    names: bool = False
    ready: bool = True


def _wordless(kind: str) -> Sequence[str]:
    del kind
    return ()


@frozen
class Context:
    """What commands act on; `words` are those that only the door knows, such as its themes."""

    opened: Opened
    registry: Registry
    words: Callable[[str], Sequence[str]] = _wordless


Complete = Callable[[Context, str], Awaitable[list[Completion]]]


@frozen
class Kind:
    """What an argument may be. `read` raises ValueError or CommandError; `rest` takes the whole line.

    `complete` gets the context and what was typed of this argument so far, and need not filter by it.
    `mentions` is False where an `@` means something else than a file. `example` is one that could be typed.
    """

    name: str
    read: Callable[[str], object] = str
    complete: Complete | None = None
    rest: bool = False
    mentions: bool = True
    example: str = ""


@frozen
class Argument:
    kind: Kind
    required: bool

    def __str__(self) -> str:
        return self.kind.name if self.required else f"[{self.kind.name}]"


@frozen
class Command:
    """`name` may have two words: `todos log`. `run` takes the context and a value for each argument.

    What is typed behind a `lasting` one need not wait for its end. One that is `asking` sends requests to
    the model.
    """

    name: str
    help: str
    run: Callable[..., Awaitable[Result]]
    arguments: tuple[Argument, ...] = ()
    lasting: bool = False
    asking: bool = False

    @property
    def usage(self) -> str:
        return " ".join([f"/{self.name}", *map(str, self.arguments)])

    @property
    def ready(self) -> bool:
        """Whether its name alone says enough."""
        return not any(argument.required for argument in self.arguments)

    def values(self, text: str) -> Iterator[object]:
        rest = text.strip()
        for argument in self.arguments:
            if not rest:
                if argument.required:
                    raise self._missed(argument.kind)
                return
            word, rest = (rest, "") if argument.kind.rest else take_word(rest)
            yield self._value(argument.kind, word)
        if rest:
            raise self._misread(f"/{self.name} does not know what to do with {rest!r}")

    def _value(self, kind: Kind, word: str) -> object:
        try:
            return kind.read(word)
        except ValueError as error:
            raise self._misread(f"{word!r} is {_no(kind.name)}") from error

    def _missed(self, kind: Kind) -> CommandError:
        examples = [each.kind.example for each in self.arguments if each.required]
        shown = " ".join([f"/{self.name}", *examples])
        hint = f"for example {shown}" if all(examples) else f"write {self.usage}"
        return CommandError(f"/{self.name} needs {_either(kind.name)}", hint, code="usage")

    def _misread(self, message: str) -> CommandError:
        return CommandError(message, f"write {self.usage}", code="usage")


def command(
    name: str,
    help: str,  # noqa: A002 it is the help
    run: Callable[..., Awaitable[Result]],
    *,
    lasting: bool = False,
    asking: bool = False,
) -> Command:
    """Its arguments are the parameters behind the context, each `Annotated[type, Kind]`."""
    hints = get_type_hints(run, include_extras=True)
    parameters = list(inspect.signature(run).parameters.values())[1:]
    arguments = [
        Argument(_kind(hints[each.name]), required=each.default is inspect.Parameter.empty)
        for each in parameters
    ]
    return Command(name, help, run, tuple(arguments), lasting, asking)


class Registry:
    """Later commands replace earlier ones of the same name."""

    def __init__(self, commands: Iterable[Command]) -> None:
        self._commands = {each.name: each for each in commands}

    def __iter__(self) -> Iterator[Command]:
        return iter(self._commands.values())

    def __contains__(self, name: str) -> bool:
        return name in self._commands

    def get(self, name: str) -> Command | None:
        return self._commands.get(name)

    def extended(self, commands: Iterable[Command]) -> Registry:
        """With those that only one door can run."""
        return Registry([*self, *commands])

    def find(self, line: str) -> tuple[Command, str]:
        """The command that a line names, and what stands behind its name."""
        found = _NAME.match(line.strip())
        if found is None:
            raise CommandError(
                f"{line.strip()!r} is no command", "commands begin with a slash; see /help", code="usage"
            )
        name, rest = found[1].lower(), line.strip()[found.end() :].strip()
        word = rest.split(None, 1)[0] if rest else ""
        inner = self.get(f"{name} {word.lower()}")
        if inner is not None:
            return inner, rest[len(word) :].strip()
        outer = self.get(name)
        if outer is None:
            raise UnknownCommandError(name, self._suggestion(name))
        return outer, rest

    def nearest_form(self, command: Command, text: str) -> str:
        """`/plan finalise` for `/plan finalize`, which the shorter command could not read."""
        forms = {
            each.name.removeprefix(f"{command.name} "): each.name
            for each in self
            if each.name.startswith(f"{command.name} ")
        }
        from difflib import get_close_matches

        near = get_close_matches(take_word(text)[0].lower(), forms, 1)
        return f"did you mean /{forms[near[0]]}?" if near else ""

    def _suggestion(self, name: str) -> str:
        from difflib import get_close_matches

        names = [each for each in self._commands if " " not in each]
        near = [ELSEWHERE[name]] if name in ELSEWHERE else get_close_matches(name, names, 1)
        return f"did you mean /{near[0]}?" if near else "see /help"


def is_command(text: str) -> bool:
    """`/todos open` is one; `/etc/hosts is odd` is a sentence."""
    return _NAME.match(text.strip()) is not None


def take_word(text: str) -> tuple[str, str]:
    """The first word, or what stands in double quotes, and the rest."""
    found = _WORD.match(text)
    if found is None:
        return "", ""
    word = found[2] if found[1] is None else found[1]
    return word, text[found.end() :]


def _no(name: str) -> str:
    """`no COUNT`, or `not ask, plan or auto` for one of several words."""
    return f"{'not' if '|' in name else 'no'} {_either(name)}"


def _either(name: str) -> str:
    *others, last = name.split("|")
    return f"{', '.join(others)} or {last}" if others else last


def _kind(hint: Any) -> Kind:  # noqa: ANN401 a type as Python hands it out
    assert get_origin(hint) is Annotated
    kind = get_args(hint)[1]
    assert isinstance(kind, Kind)
    return kind
