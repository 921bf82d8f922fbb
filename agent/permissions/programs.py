"""What is known of programs: which only read, which flags make them write or run, which are never freed."""

from __future__ import annotations

import re
from collections.abc import Sequence

from store.frozen import frozen


@frozen
class Profile:
    """What takes a program beyond its plain use: letters, long options, whole words, an operand too many."""

    letters: str = ""
    options: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    operands: int | None = None


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


READERS: dict[str, Profile] = {
    **dict.fromkeys(
        (
            "basename", "cat", "cmp", "comm", "cut", "df", "dirname", "echo", "expand", "false", "fold",
            "free", "groups", "head", "id", "join", "ls", "nl", "nproc", "od", "paste",
            "pwd", "readlink", "realpath", "rev", "seq", "sleep", "stat", "tac", "tail", "tr",
            "true", "type", "uname", "uptime", "which", "whoami",
        ),
        Profile(),
    ),
    **dict.fromkeys(("grep", "egrep", "fgrep"), Profile("R", ("dereference-recursive",))),
    **dict.fromkeys(
        ("md5sum", "sha1sum", "sha224sum", "sha256sum", "sha384sum", "sha512sum", "b2sum", "cksum"),
        Profile("c", ("check",)),
    ),
    **dict.fromkeys(("fd", "fdfind"), Profile("xXL", ("exec", "exec-batch", "follow"))),
    "cd": Profile("LP@e"),
    "date": Profile("sf", ("set", "file"), operands=0),
    "diff": Profile("rl", ("recursive", "paginate")),
    "du": Profile("LDH", ("files0-from", "dereference", "dereference-args")),
    "file": Profile("CmfzZS", ("compile", "magic-file", "files-from", "uncompress", "no-sandbox")),
    "find": Profile(
        words=(
            "-exec", "-execdir", "-ok", "-okdir", "-delete", "-fprint", "-fprint0", "-fprintf", "-fls",
            "-follow", "-files0-from", "-L", "-H", "-D",
        )
    ),
    "printf": Profile("v"),
    "rg": Profile("Lz", ("pre", "pre-glob", "follow", "search-zip", "hostname-bin")),
    "sort": Profile("oT", ("output", "compress-program", "files0-from", "temporary-directory")),
    "tree": Profile("oRl", ("output", "fromfile", "fromtabfile")),
    "uniq": Profile(operands=1),
    "wc": Profile(options=("files0-from",)),
    "xxd": Profile("r", ("revert",), operands=1),
}  # fmt: skip

WRAPPERS = _names(
    """
    ! { [[ [ . at batch builtin busybox bwrap capsh caffeinate case chroot chronic chrt command
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

# These run what the project tells them to: a rule frees them only when it names the job too.
RUNNERS: dict[str, Profile] = {
    **dict.fromkeys(
        ("npm", "yarn", "pnpm"),
        Profile("C", ("prefix", "script-shell", "shell", "node-options", "globalconfig", "userconfig", "cwd"),
                ("exec", "x", "dlx", "install", "i", "add", "ci", "publish", "link", "config", "set")),
    ),
    **dict.fromkeys(
        ("make", "gmake", "just", "ninja"),
        Profile("fCIoW", ("file", "makefile", "directory", "eval", "include-dir", "shell",
                           "working-directory")),
    ),
    **dict.fromkeys(
        ("gradle", "gradlew", "mvn", "mvnw", "ant", "bazel", "rake", "tox", "nox", "bundle", "composer",
         "dotnet"),
        Profile("fIDPcC", ("init-script", "build-file", "settings-file", "file", "command", "config")),
    ),
    "cargo": Profile("ZC", ("config", "manifest-path", "target-dir", "out-dir", "artifact-dir", "fix"),
                     ("install", "publish", "run", "r", "fix", "new", "init", "add", "remove", "update")),
    "go": Profile("", ("exec", "toolexec", "modfile", "overlay", "o", "vettool", "ldflags", "outputdir"),
                  ("run", "install", "get", "generate", "-exec", "-toolexec", "-modfile", "-overlay", "-o",
                   "-C", "-vettool", "-ldflags", "-gcflags", "-asmflags", "-gccgoflags", "-pkgdir",
                   "-outputdir", "-coverprofile", "-cpuprofile", "-memprofile", "-blockprofile",
                   "-mutexprofile", "-trace")),
}  # fmt: skip

TESTERS: dict[str, Profile] = {
    "pytest": Profile(
        "pco",
        ("rootdir", "confcutdir", "override-ini", "basetemp", "junitxml", "junit-xml", "log-file",
         "config-file", "pastebin", "debug", "pdbcls", "report-log", "cov-config"),
    ),
}  # fmt: skip

# A program nobody has looked at: the options by which such programs usually write or run.
UNKNOWN = Profile(
    "",
    ("output", "out", "outfile", "exec", "execute", "eval", "command", "cmd", "pager", "editor", "shell",
     "run", "pre", "plugin", "load", "require", "import", "init", "rcfile", "config", "script", "in-place",
     "write", "fix", "use-compress-program", "rsh", "hook"),
    ("-o", "-c", "-e", "-x"),
)  # fmt: skip

_SED_ADDRESS = r"(?:\d+|\$|/[^/\\\n]*/)"
_SED_SCRIPT = re.compile(
    rf"(?:{_SED_ADDRESS}(?:,{_SED_ADDRESS})?)?[pdq=]"
    r"|s([/|,#:@])(?:(?!\1)[^\\\n]|\\.)*\1(?:(?!\1)[^\\\n]|\\.)*\1[gIip0-9]*"
)
_PRINTF_STORES = re.compile(r"%[^A-Za-z%]*[hljztL]*n")


def base_name(program: str) -> str:
    """`/usr/bin/python3.11` is python, and mkfs.ext4 is mkfs."""
    name = program.rpartition("/")[2]
    if name.startswith("mkfs"):
        return "mkfs"
    known = name in READERS or name in WRITERS
    return name if known else re.sub(r"(?<=[A-Za-z])[-_]?[\d.]+$", "", name)


def searches(name: str, arguments: Sequence[str]) -> bool:
    """Whether it reads every file below the folders it is given."""
    deep = any(re.match(r"-[A-Za-z0-9]*r|--(r|d|inc|exc)", word) for word in arguments)
    return name == "rg" or (name.endswith("grep") and deep) or (name == "git" and "grep" in arguments)


def objection(words: Sequence[str], literal: str) -> str:
    """Why a wildcard rule whose certain text is `literal` does not free this call; empty when it does."""
    name = base_name(words[0])
    if name == "sed":
        return _sed_objection(words[1:])
    for table, nature in (
        (WRAPPERS, "runs other commands"), (INTERPRETERS, "runs any code"), (WRITERS, "writes by nature"),
    ):  # fmt: skip
        if name in table or name.lower() in table:
            return f"{name} {nature}: only an exact rule frees it"
    if name in READERS:
        return _reader_objection(name, words[1:])
    if not literal.startswith(words[0]):
        return f"the rule does not name {words[0]}"
    if name in RUNNERS:
        return _runner_objection(name, words, literal)
    profile = TESTERS.get(name, UNKNOWN)
    named = set(literal.split())
    return _profile_objection(name, profile, [word for word in words[1:] if word not in named])


def _reader_objection(name: str, arguments: Sequence[str]) -> str:
    if name == "printf" and any(_PRINTF_STORES.search(word) for word in arguments):
        return "printf can store into variables"
    if name == "cd" and (len(arguments) != 1 or ".." in arguments[0].split("/") or arguments[0] == "-"):
        return "cd to a place that is not spelled out"
    return _profile_objection(name, READERS[name], arguments)


def _runner_objection(name: str, words: Sequence[str], literal: str) -> str:
    job = words[1] if len(words) > 1 else ""
    if not job or job.startswith("-") or not f"{literal} ".startswith(f"{words[0]} {job} "):
        return f"{name} runs what the project says: the rule must name the job, such as {name} test*"
    if any("=" in word and not word.startswith("-") for word in words[1:]):
        return f"{name} with a variable"
    return _profile_objection(name, RUNNERS[name], words[1:])


def _profile_objection(name: str, profile: Profile, arguments: Sequence[str]) -> str:
    operands = 0
    for word in arguments:
        if word.partition("=")[0] in profile.words:
            return f"{name} {word} writes, runs or leaves the folder"
        if word.startswith("--"):
            option = word[2:].partition("=")[0]
            # GNU programs take any beginning of an option's name.
            if option and any(known.startswith(option) for known in profile.options):
                return f"{name} {word} writes, runs or leaves the folder"
        elif word.startswith("-") and len(word) > 1:
            if set(word[1:]) & set(profile.letters):
                return f"{name} {word} writes, runs or leaves the folder"
        elif not word.startswith("+"):
            operands += 1
    if profile.operands is not None and operands > profile.operands:
        return f"{name} with more names than it reads"
    return ""


def _sed_objection(arguments: Sequence[str]) -> str:
    script: str | None = None
    for word in arguments:
        if word.startswith("-"):
            if script is not None or not re.fullmatch(r"-[nErsz]+|--quiet|--silent|--regexp-extended", word):
                return f"sed {word} is not known to only print"
        elif script is None:
            script = word
    if script is None or not _SED_SCRIPT.fullmatch(script):
        return "a sed script that is not known to only print"
    return ""
