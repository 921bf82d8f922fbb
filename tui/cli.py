"""The command line: answers the cheap questions at once and opens a door for everything else."""

import os
import sys

from tui.version import VERSION

# A door is the module `tui.doors.NAME`; the line beside it is what `wakeful --help` says of it.
DOORS = {
    "app": "the agent on the whole screen; this is what opens without a command",
    "repl": "talk to the agent at a plain prompt; --linear for screen readers",
    "run": "run the agent on a prompt without a screen",
    "tour": "watch the built-in offline model survey this folder",
    "todos": "list or follow the todos of this folder",
    "todo": "add, start, finish, move or undo todos from the command line",
    "sessions": "list, read or delete what was talked about",
    "doctor": "check this machine: Python, SQLite, terminal, config, database, sandbox",
    "trust": "let a folder's own settings, agents and instructions take part",
    "config": "show every setting and where it comes from; change one",
    "permissions": "say what the permission rules make of a command or a path",
    "completion": "print the completion script for bash, zsh or fish",
}
# Opened when no door is named.
FRONT_DOOR = "app"


def main() -> int:
    _fill_gap()
    arguments = sys.argv[1:]
    if arguments in (["--version"], ["-V"]):
        return _print_version()
    early = None
    whole_screen = _opens_app(arguments) and os.isatty(0) and os.isatty(1)
    if whole_screen:
        from tui.instant.early import begin

        early = begin(arguments)
    # argparse and what comes with it cost more than Python's own start.
    from tui.dispatch import dispatch

    status = dispatch(arguments, early)
    if whole_screen:
        # Everything is closed and written; taking the modules apart one by one would cost 0.1 s.
        _flush_errors()
        os._exit(status)
    return status


def _flush_errors() -> None:
    try:
        sys.stderr.flush()
    except OSError:
        # The terminal was closed; how we ended is known all the same.
        return


def _fill_gap() -> None:
    """Where errors cannot be told, the first file that is opened must not get what is told of them."""
    if sys.stderr is None:
        sys.stderr = sys.__stderr__ = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123 as long as we run


def _opens_app(arguments: list[str]) -> bool:
    """As far as can be told without a parser; when it was wrong, the screen is given back again."""
    door = next((word for word in arguments if word in DOORS), FRONT_DOOR)
    asked = {"-h", "--help", "-V", "--version"} & {*arguments}
    return os.name == "posix" and door == FRONT_DOOR and not asked


def _print_version() -> int:
    try:
        sys.stdout.write(f"wakeful {VERSION}\n")
        sys.stdout.flush()
    except BrokenPipeError:
        from tui.dispatch import leave_pipe

        return leave_pipe()
    return 0
