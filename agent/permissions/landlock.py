"""Confines itself with Landlock and seccomp, then becomes the command that is given.

Run by path in a bare interpreter (`python -I -S landlock.py KEY VALUE … -- COMMAND`), so that nothing is
applied in a process with threads. Keys: `hide`, `write`, `keep`, `read`, `scratch`, `network`. Exits with 126
if the kernel refuses: a command never runs with less than was promised.
"""

# pathlib and subprocess would double the cost of starting.
# ruff: noqa: PTH114, PTH208, S606
import ctypes
import os
import struct
import sys

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR, REMOVE_DIR, REMOVE_FILE = (1 << bit for bit in range(6))
MAKE_CHAR, MAKE_DIR, MAKE_REG, MAKE_SOCK, MAKE_FIFO, MAKE_BLOCK = (1 << bit for bit in range(6, 12))
MAKE_SYM, REFER, TRUNCATE, IOCTL_DEV = (1 << bit for bit in range(12, 16))
READ = EXECUTE | READ_FILE | READ_DIR
WRITE = (
    WRITE_FILE
    | REMOVE_DIR
    | REMOVE_FILE
    | MAKE_DIR
    | MAKE_REG
    | MAKE_SOCK
    | MAKE_FIFO
    | MAKE_SYM
    | REFER
    | TRUNCATE
)
ON_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV
# How many of the rights above each version of the interface knows.
KNOWN = {1: 13, 2: 14, 3: 15, 4: 15}
DEVICES = ("null", "zero", "full", "random", "urandom")
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
NO_NEW_PRIVS, DROP_CAPABILITY, SET_SECCOMP = 38, 24, 22
# To write files of other owners, as root in a container does: CHOWN, DAC_OVERRIDE, FOWNER, FSETID.
KEPT_CAPABILITIES = (0, 1, 3, 4)

LIBRARY = ctypes.CDLL(None, use_errno=True)


def version() -> int:
    """The version of the Landlock interface; 0 without it."""
    return max(0, LIBRARY.syscall(CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(1)))


def main(arguments: list[str]) -> None:
    split = arguments.index("--")
    options: dict[str, list[str]] = {}
    for key, value in zip(arguments[:split:2], arguments[1:split:2], strict=True):
        options.setdefault(key, []).append(value)
    command = arguments[split + 1 :]
    network = "network" in options
    try:
        _drop_capabilities()
        _check(LIBRARY.prctl(NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs")
        abi = version()
        _restrict(options, abi, network)
        refuse_calls(abi, network=network)
    except OSError as error:
        os.write(2, f"the sandbox cannot be set up: {error}\n".encode())
        os._exit(126)
    for scratch in options.get("scratch", []):
        os.environ["TMPDIR"] = scratch
    try:
        os.execvp(command[0], command)
    except OSError as error:
        os.write(2, f"{command[0]}: {error.strerror}\n".encode())
        os._exit(127)


def _check(result: int, what: str) -> int:
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{what}: {os.strerror(code)}")
    return result


def _drop_capabilities() -> None:
    # Without these, root has no more rights here than others. Fails for others, who have none.
    for capability in range(64):
        if capability not in KEPT_CAPABILITIES:
            LIBRARY.prctl(DROP_CAPABILITY, capability, 0, 0, 0)


def _restrict(options: dict[str, list[str]], abi: int, network: bool) -> None:
    handled = (1 << KNOWN.get(abi, 16)) - 1
    ports = 0 if network or abi < 4 else 3
    scopes = 3 if abi >= 6 else 0
    size = 24 if abi >= 6 else 16 if abi >= 4 else 8
    attributes = struct.pack("QQQ", handled, ports, scopes)[:size]
    ruleset = _check(LIBRARY.syscall(CREATE_RULESET, attributes, ctypes.c_size_t(size), 0), "landlock")
    hidden = {os.path.realpath(path) for path in options.get("hide", [])}
    for path in ["/", *options.get("read", [])]:
        _allow_around(ruleset, os.path.realpath(path), hidden, READ & handled)
    for path in options.get("scratch", []):
        _allow(ruleset, path, (READ | WRITE) & handled)
    for name in DEVICES:
        _allow(ruleset, f"/dev/{name}", (READ_FILE | WRITE_FILE) & handled)
    kept = set(options.get("keep", []))
    for path in options.get("write", []):
        _allow_around(ruleset, path, kept | hidden, (READ | WRITE) & handled)
    _check(LIBRARY.syscall(RESTRICT_SELF, ruleset, 0), "landlock")
    os.close(ruleset)


def _allow_around(ruleset: int, path: str, left_out: set[str], rights: int) -> None:
    """Allow all below `path` but what is left out: rights hold for whole trees and cannot be taken back."""
    if path in left_out:
        return
    inner = path.rstrip("/") + "/"
    if not any(other.startswith(inner) for other in left_out):
        _allow(ruleset, path, rights)
        return
    try:
        names = os.listdir(path)
    except OSError:
        return
    for name in names:
        child = inner + name
        # What a link leads to has its own rule, or none.
        if not os.path.islink(child):
            _allow_around(ruleset, child, left_out, rights)


def _allow(ruleset: int, path: str, rights: int) -> None:
    try:
        descriptor = os.open(path, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return
    if (os.fstat(descriptor).st_mode & 0o170000) != 0o040000:
        rights &= ON_FILES
    rule = struct.pack("=Qi", rights, descriptor)
    _check(LIBRARY.syscall(ADD_RULE, ruleset, 1, rule, 0), f"landlock: {path}")
    os.close(descriptor)


# Numbers of system calls on x86_64 and aarch64, by what they would let a command do to others.
CALLS = {
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "kcmp": (312, 272),
    "add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219), "bpf": (321, 280),
    "perf_event_open": (298, 241), "userfaultfd": (323, 282), "mount": (165, 40), "umount2": (166, 39),
    "pivot_root": (155, 41), "chroot": (161, 51), "unshare": (272, 97), "setns": (308, 268),
    "kexec_load": (246, 104), "kexec_file_load": (320, 294), "init_module": (175, 105),
    "finit_module": (313, 273), "delete_module": (176, 106), "open_by_handle_at": (304, 265),
    "swapon": (167, 224), "swapoff": (168, 225), "reboot": (169, 142), "acct": (163, 89),
    "settimeofday": (164, 170), "clock_settime": (227, 112), "quotactl": (179, 60),
    "io_uring_setup": (425, 425), "io_uring_enter": (426, 426), "io_uring_register": (427, 427),
    "open_tree": (428, 428), "move_mount": (429, 429), "fsopen": (430, 430), "fsconfig": (431, 431),
    "fsmount": (432, 432), "fspick": (433, 433), "pidfd_getfd": (438, 438), "mount_setattr": (442, 442),
}  # fmt: skip
MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
LOAD, EQUAL, ABOVE, AND, RETURN = 0x20, 0x15, 0x35, 0x54, 0x06
NUMBER, MACHINE, FIRST, SECOND, THIRD = 0, 4, 16, 24, 32
ALLOW, REFUSE = 0x7FFF0000, 0x00050000
EPERM, EACCES, ENOSYS = 1, 13, 38
INET, INET6, NETLINK = 2, 10, 16
STEAL_INPUT, CONSOLE = 0x5412, 0x541C
TRUNCATING, ACCESS = 0o1000, 0o3

Step = tuple[int, int, int, int]


def program(column: int, machine: int, *, truncation: bool, network: bool) -> bytes:
    """The filter. It always refuses Unix sockets: some daemons behind them run anything for whoever asks."""
    code: list[Step] = [
        (LOAD, 0, 0, MACHINE), (EQUAL, 1, 0, machine), (RETURN, 0, 0, REFUSE | ENOSYS), (LOAD, 0, 0, NUMBER),
    ]  # fmt: skip
    if column == 0:
        # The x32 numbering of the same calls.
        code += [(ABOVE, 0, 1, 0x40000000), (RETURN, 0, 0, REFUSE | ENOSYS)]
    for numbers in CALLS.values():
        code += [(EQUAL, 0, 1, numbers[column]), (RETURN, 0, 0, REFUSE | EPERM)]
    code += _on((16, 29)[column], SECOND, _refused(STEAL_INPUT) + _refused(CONSOLE))
    families = (INET, INET6, NETLINK) if network else ()
    allowed: list[Step] = [
        step for family in families for step in ((EQUAL, 0, 1, family), (RETURN, 0, 0, ALLOW))
    ]
    code += _on((41, 198)[column], FIRST, [*allowed, (RETURN, 0, 0, REFUSE | EACCES)])
    if truncation:
        # The first versions of Landlock do not know of truncation.
        code += [(EQUAL, 0, 1, (76, 45)[column]), (RETURN, 0, 0, REFUSE | EPERM)]
        code += [(EQUAL, 0, 1, 437), (RETURN, 0, 0, REFUSE | ENOSYS)]
        reading: list[Step] = [(AND, 0, 0, TRUNCATING | ACCESS), *_refused(TRUNCATING)]
        code += _on((257, 56)[column], THIRD, reading)
        code += _on(2, SECOND, reading) if column == 0 else []
    return b"".join(struct.pack("HBBI", *step) for step in [*code, (RETURN, 0, 0, ALLOW)])


def _on(number: int, argument: int, steps: list[Step]) -> list[Step]:
    """Steps for one call, which end in a decision about one of its arguments."""
    body = [(LOAD, 0, 0, argument), *steps, (RETURN, 0, 0, ALLOW)]
    return [(EQUAL, 0, len(body), number), *body]


def _refused(value: int) -> list[Step]:
    return [(EQUAL, 0, 1, value), (RETURN, 0, 0, REFUSE | EPERM)]


def refuse_calls(abi: int, *, network: bool) -> None:
    """Apply the filter to this process and its children, for good."""
    known = MACHINES.get(os.uname().machine)
    if known is None:
        return
    column, machine = known
    code = program(column, machine, truncation=abi < 3, network=network)
    buffer = ctypes.create_string_buffer(code, len(code))
    filtering = struct.pack("HxxxxxxP", len(code) // 8, ctypes.addressof(buffer))
    _check(LIBRARY.prctl(SET_SECCOMP, 2, filtering, 0, 0), "seccomp")


if __name__ == "__main__":
    main(sys.argv[1:])
