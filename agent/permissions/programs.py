"""The programs that are known by name: which only look, which run others, which write by nature."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.permissions.bash import Word
from agent.permissions.project_tools import PROJECT_TOOLS, tool_uses
from agent.permissions.readers import NAMES, reader_uses
from agent.permissions.shapes import ShapeError, Use

READERS = NAMES
_SYSTEM_FOLDERS = ("/bin", "/usr/bin")


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


WRAPPERS = _names(
    """
    ! { [[ [ . at batch builtin busybox bwrap capsh caffeinate case cgexec choom chroot chronic chrt command
    compgen cpulimit dbus-launch eatmydata faketime gpg-agent i386 ifne linux32 linux64 pkexec run-parts
    ssh-agent systemd-inhibit x86_64 xvfb-run
    coproc crontab dbus-run-session do doas docker elif else entr env eval exec expect fakeroot
    firejail flock for function gdb if ionice kubectl ld.so lldb ltrace machinectl nice nohup
    nsenter numactl parallel perf podman prlimit proot rlwrap runcon runuser screen script select
    setarch setpriv setsid sg source ssh start-stop-daemon stdbuf strace su sudo systemd-run taskset
    test then time timeout tmux toybox trap ts unbuffer unshare until valgrind watch while xargs
    """
)

INTERPRETERS = _names(
    """
    R Rscript ash awk bash bc bun bunx clisp clojure cscript csh dash dc deno ed elixir emacs
    emacsclient erl ex fish gawk ghc ghci groovy guile iex irb java jjs jshell julia kotlin kotlinc
    ksh less lua luajit m4 man mawk mongo mongosh more most mysql nano nawk node nodejs npx ocaml
    octave original-awk osascript perl php pico pip pipx powershell psql pwsh pypy python qjs racket
    rbash redis-cli ruby runghc sbcl scala sh sqlite sqlite3 swift tclsh tcsh ts-node tsx uv uvx vi
    view vim vimdiff nvim rvim wish yash zsh
    """
)

WRITERS = _names(
    """
    7z alias apt apt-get ar aria2c base32 bind brew bunzip2 bzip2 chattr chgrp chmod chown chsh
    complete conda cp cpio crontab csplit curl dd declare dnf dpkg enable export fallocate fc fdisk
    ffmpeg ftp gem getopts git-lfs gpg gunzip gzip hash history hg hostname hostnamectl insmod
    install iptables kill killall ld let link ln local logger logrotate lp mail mapfile mkdir mkfifo
    mkfs mknod mktemp modprobe mount mv nc ncat netcat nmap openssl parted patch perlbrew pkill
    poetry poweroff popd pushd read readarray readonly reboot rename renice reset rm rmdir rmmod rpm
    rsync scp sed service set setfacl sftp shopt shred shutdown socat split sponge ssh-keygen stty
    svn swapoff swapon sysctl systemctl tar tee telnet touch truncate tune2fs typeset ulimit umask
    umount unalias unlink unset unxz unzip useradd userdel usermod visudo wait wget wipefs xz yum
    zip zstd
    """
)

UNFREED = WRAPPERS | INTERPRETERS | WRITERS


def base_name(program: str) -> str:
    """`/usr/bin/python3.11` is python, and mkfs.ext4 is mkfs."""
    name = program.rpartition("/")[2]
    if name.startswith("mkfs"):
        return "mkfs"
    known = name in READERS or name in WRITERS
    return name if known else re.sub(r"(?<=[A-Za-z])[-_]?[\d.]+$", "", name)


def reader_name(program: str) -> str:
    """The program that only looks and goes by exactly this name; empty if there is none."""
    name = program.rpartition("/")[2]
    return name if name in READERS and system_program(program) else ""


def system_program(program: str) -> bool:
    """True unless the call names a file in a folder other than those of the system."""
    return "/" not in program or program[: program.rindex("/")] in _SYSTEM_FOLDERS


def known_uses(words: Sequence[Word], literal: str) -> tuple[Use, ...]:
    """Return what the call does with its words, if a rule that begins with `literal` may free it.

    Raise ShapeError for everything else: a program that is not known, or a call that is not known of it.
    """
    program = words[0].text
    reader = reader_name(program)
    if reader:
        return reader_uses(reader, words[1:])
    nature = _nature(program)
    if nature:
        raise ShapeError(f"{program} {nature}: only an exact rule frees it")
    name = program.rpartition("/")[2]
    if name not in PROJECT_TOOLS:
        raise ShapeError(f"{program} is not known to only look: only an exact rule frees it")
    return tool_uses(name, words, literal)


def _nature(program: str) -> str:
    name = base_name(program)
    for table, nature in (
        (WRAPPERS, "runs other commands"), (INTERPRETERS, "runs any code"), (WRITERS, "writes by nature"),
    ):  # fmt: skip
        if name in table or name.lower() in table:
            return nature
    return ""


def exact_objection(program: str) -> str:
    """Return why even an exact rule frees the program only alone on its line; empty if not so."""
    nature = _nature(program)
    if nature:
        return f"{program} {nature}: an exact rule frees it only alone on the line"
    return ""
