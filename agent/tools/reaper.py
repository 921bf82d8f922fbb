"""The small process between Wakeful and a command, so that nothing the command started outlives either.

Run by path in a bare interpreter: what it imports is paid for by every command. Its stdin is a lifeline:
when it closes, by intent or because Wakeful died, everything below is ended.
"""

# pathlib and contextlib would double the cost of starting.
# ruff: noqa: PTH123, PTH208, S606, SIM105
import os
import select
import sys
import time

TERM, KILL, PIPE_SIGNAL = 15, 9, 13
SET_PDEATHSIG, SET_CHILD_SUBREAPER = 1, 36
GRACE = 1.0
# `> >(tee log)` is still flushing when the shell that started it has ended.
LINGER = 0.2


def main(locale: str, *argv: str) -> int:
    if locale == "unset":
        # Python sets it for itself at start; the command must get the environment it was given.
        os.environ.pop("LC_CTYPE", None)
    _control(SET_CHILD_SUBREAPER, 1)
    child = os.fork()
    if child == 0:
        _become(argv)
    code = _watch(child)
    if code is None:
        return _end(child, TERM, GRACE, None)
    if _settle(child, LINGER, code)[1]:
        return code
    return _end(child, TERM, LINGER, code)


def _become(argv: tuple[str, ...]) -> None:
    parent = os.getppid()
    os.setsid()
    _control(SET_PDEATHSIG, KILL)
    if os.getppid() != parent:
        os._exit(KILL)
    _default_signal(PIPE_SIGNAL)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    try:
        os.execvp(argv[0], argv)
    except OSError as error:
        os.write(2, f"{argv[0]}: {error.strerror}\n".encode())
        os._exit(127)


def _watch(child: int) -> int | None:
    """The exit code of the command, or None when the lifeline closed first."""
    poller = select.poll()
    poller.register(0, select.POLLIN | select.POLLHUP)
    pause = 20
    if hasattr(os, "pidfd_open"):
        poller.register(os.pidfd_open(child), select.POLLIN)
        pause = 2000
    while True:
        ready = [descriptor for descriptor, _ in poller.poll(pause)]
        code, _ = _reap(child, None)
        if code is not None:
            return code
        if 0 in ready and not os.read(0, 1):
            return None


def _reap(child: int, code: int | None) -> tuple[int | None, bool]:
    """Collect whoever ended; says the command's code, and whether nobody is left."""
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return code, True
        if pid == 0:
            return code, False
        if pid == child:
            ended = os.waitstatus_to_exitcode(status)
            code = ended if ended >= 0 else 128 - ended


def _settle(child: int, seconds: float, code: int | None) -> tuple[int | None, bool]:
    deadline = time.monotonic() + seconds
    while True:
        code, empty = _reap(child, code)
        if empty or time.monotonic() > deadline:
            return code, empty
        time.sleep(0.005)


def _end(child: int, first: int, grace: float, code: int | None) -> int:
    _signal(child, first)
    code, empty = _settle(child, grace, code)
    # One in an uninterruptible system call cannot be waited for; its signal stays pending.
    for _ in range(100):
        if empty:
            break
        _signal(child, KILL)
        code, empty = _settle(child, 0.05, code)
    return 128 + KILL if code is None else code


def _signal(child: int, number: int) -> None:
    below = _descendants()
    if below is None:
        below = [-child]
    for pid in below:
        try:
            os.kill(pid, number)
        except OSError:
            pass


def _descendants() -> list[int] | None:
    """Also those that left the group with setsid: their parent, or its stand-in, is still this process.

    None where there is no /proc: the command's own group is then all that is known.
    """
    children: dict[int, list[int]] = {}
    try:
        names = os.listdir("/proc")
    except OSError:
        return None
    for name in names:
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/stat", "rb") as file:
                # The command name may hold spaces and parentheses; the parent is the second field after it.
                parent = int(file.read().rpartition(b")")[2].split()[1])
        except (OSError, ValueError, IndexError):
            continue
        children.setdefault(parent, []).append(int(name))
    found: list[int] = []
    open_ends = [os.getpid()]
    while open_ends:
        below = children.get(open_ends.pop(), [])
        found += below
        open_ends += below
    return found


def _control(option: int, value: int) -> None:
    if sys.platform != "linux":
        return
    import ctypes

    ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def _default_signal(number: int) -> None:
    # The signal module would cost more than all the rest of this file.
    import ctypes

    library = ctypes.CDLL(None)
    library.signal.argtypes = [ctypes.c_int, ctypes.c_void_p]
    library.signal(number, None)


if __name__ == "__main__":
    os._exit(main(*sys.argv[1:]))
