"""The command line: answers the cheap questions at once and opens a door for everything else."""

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
# Opened when no door is named: on a terminal, and where there is none.
FRONT_DOOR = "app"
FRONT_DOOR_WITHOUT_TERMINAL = "tour"


def main() -> int:
    arguments = sys.argv[1:]
    if arguments in (["--version"], ["-V"]):
        return _print_version()
    # argparse and what comes with it cost more than Python's own start.
    from tui.dispatch import dispatch

    return dispatch(arguments)


def _print_version() -> int:
    try:
        sys.stdout.write(f"wakeful {VERSION}\n")
        sys.stdout.flush()
    except BrokenPipeError:
        from tui.dispatch import leave_pipe

        return leave_pipe()
    return 0
