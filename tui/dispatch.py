"""The outer edge of every door: parses, runs, and turns whatever goes wrong into one honest line."""

from __future__ import annotations

import errno
import os
import sys
from typing import TYPE_CHECKING

from tui.errors import DoorError, UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from contextlib import AbstractContextManager
    from logging import Logger

    from agent.paths import Paths
    from tui.instant.early import Early

INTERRUPTED = 130
HUNG_UP = 129
# What the shell reports for a program that SIGPIPE ended, as it does for any other filter.
PIPE_CLOSED = 141


def dispatch(arguments: list[str], early: Early | None = None) -> int:
    """`early` is the prompt that is on the screen already, for the door that takes it over."""
    try:
        try:
            status = _run(arguments, early)
        finally:
            if early:
                early.leave()
        status = _flushed(status)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        return leave_pipe()
    except Exception as error:  # noqa: BLE001 the outer edge: logged and shown
        _report(error, arguments)
        return 2 if isinstance(error, UsageError) else 1
    return status


def _flushed(status: int) -> int:
    """A terminal that was closed takes nothing any more, which is what SIGHUP tells of."""
    try:
        sys.stdout.flush()
    except OSError as error:
        if error.errno != errno.EIO:
            raise
        _drop_output()
        return status or HUNG_UP
    return status


def leave_pipe() -> int:
    _drop_output()
    return PIPE_CLOSED


def _drop_output() -> None:
    # Python flushes stdout once more at exit and would complain about the same pipe or terminal.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(arguments: list[str], early: Early | None) -> int:
    from tui.parser import parse

    try:
        door, options = parse(arguments)
    except SystemExit:  # argparse has printed the help or the version
        return 0
    if options.directory is not None:
        try:
            os.chdir(options.directory)
        except OSError as error:
            raise UsageError(
                f"cannot work in {options.directory}: {error.strerror}", "give -C a folder"
            ) from error
    options.early = early
    with _log():
        return door.run(options)


def _report(error: Exception, arguments: list[str]) -> None:
    from dataclasses import replace

    from tui.failures import describe

    failure = describe(error)
    if failure.code == "internal":
        failure = replace(failure, hint=f"the details are in {_paths().log}, --debug shows them")
    if not isinstance(error, DoorError):
        with _log() as log:
            log.error("a command failed", exc_info=error)
    if "--debug" in arguments:
        import traceback

        traceback.print_exception(error)
    if _wants_json(arguments):
        import json

        sys.stdout.write(json.dumps({"error": failure.as_json()}, ensure_ascii=False) + "\n")
    else:
        # A file with three mistakes is three lines, each of them whole.
        sys.stderr.writelines(f"wakeful: {line}\n" for line in str(failure).splitlines())


def _log() -> AbstractContextManager[Logger]:
    from agent.logs import open_log

    return open_log(_paths().log, _secrets)


def _paths() -> Paths:
    from agent.paths import Paths

    return Paths.from_environment(os.environ)


def _secrets() -> Mapping[str, str]:
    from agent.models import keys
    from agent.paths import Paths

    try:
        stored = keys.read(Paths.from_environment(os.environ).keys)
    except keys.KeyFileError:
        stored = {}
    return {**os.environ, **{f"{provider}_KEY": key for provider, key in stored.items()}}


def _wants_json(arguments: list[str]) -> bool:
    # Asked of the raw words, since what went wrong may be the parsing itself.
    spoken = " ".join(arguments).replace("--output=", "--output ")
    return "--json" in arguments or "--output json" in spoken or "--output stream-json" in spoken
