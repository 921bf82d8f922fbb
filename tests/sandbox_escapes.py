"""A small machine with secrets, sockets and a repository, and ways to reach them from a confined command."""

# The table holds command lines.
# ruff: noqa: E501

import contextlib
import hashlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from agent.permissions.paths import Places
from agent.permissions.sandbox import Confinement, Sandbox

GIT = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
TOKEN = "sesame-"
DONE = "ESCAPED"
_CONNECT = "python3 -c \"import socket,sys; s=socket.socket(socket.AF_UNIX); s.connect({address}); s.send(b'x'); print('ESC'+'APED')\""
_DAEMON = (
    "import socket; s=socket.socket(socket.AF_UNIX); s.bind('relative.sock'); s.listen(9); print(end='x', flush=True); "
    "import time; time.sleep(600)"
)
_EVIL = 'mkdir -p {at} && git init -q {at}; git -C {at} config core.fsmonitor "touch $PWD/ran-by-host"'

# Each line is tried in the workspace. `{home}` is the home folder, `{pid}` a process outside, `{port}` a server.
ESCAPES = {
    "git moved aside": "mv .git .git2 && " + _EVIL.format(at="."),
    "git removed": "rm -rf .git; " + _EVIL.format(at="."),
    "git exchanged": "mkdir new; python3 -c \"import ctypes; ctypes.CDLL(None).syscall(316, -100, b'.git', -100, b'new', 2)\"",
    "git commondir": "mkdir -p evil; cp .git/config evil/; echo ../evil > .git/commondir",
    "git config": "git config core.fsmonitor 'touch ran-by-host'",
    "git hook": "printf '#!/bin/sh\\ntouch ran-by-host\\n' > .git/hooks/post-index-change; chmod +x .git/hooks/*",
    "git info": "echo '* filter=x' > .git/info/attributes",
    "git linked config": "ln .git/config c; echo '[core] fsmonitor = touch ran-by-host' >> c",
    "git through proc": "echo '[core] fsmonitor = x' >> /proc/self/cwd/.git/config",
    "git through root": "echo '[core] fsmonitor = x' >> /proc/1/root{root}/.git/config",
    "git through a symlink": "ln -s .git g; echo '[core] fsmonitor = x' >> g/config",
    "git mounted over": "mkdir m; mount --bind m .git && echo {done}",
    "git unmounted": "umount -l .git; umount -l {root}/.git; echo x > .git/commondir",
    "git remounted": "mount -o remount,rw,bind {root}/.git; echo x > .git/commondir",
    "git in a user namespace": "unshare -Urm sh -c 'umount -l .git; mount -o remount,rw,bind .git; echo x > .git/commondir'",
    "submodule config": "git -C sub config core.fsmonitor 'touch ran-by-host'",
    "submodule replaced": "rm -rf sub; " + _EVIL.format(at="sub"),
    "submodule moved": "mv sub sub2; " + _EVIL.format(at="sub"),
    "submodule not there yet": _EVIL.format(at="absent"),
    "submodule not there yet, moved": "mv absent absent2; " + _EVIL.format(at="absent"),
    "new editor task": "mkdir -p .vscode; echo '{{}}' > .vscode/tasks.json",
    "new editor folder": "mkdir -p .idea; touch .idea/workspace.xml",
    "new envrc": "echo 'touch ran' > .envrc || rm -rf .envrc && echo 'touch ran' > .envrc",
    "new settings of ours": "mkdir -p .wakeful; echo 'x = 1' > .wakeful/config.toml",
    "new agent settings": "mkdir -p .claude; echo '{{}}' > .claude/settings.json; echo '{{}}' > .mcp.json",
    "new names by rename": "mkdir t; echo x > t/tasks.json; mv t .vscode; mv -T t .idea",
    "changed instructions": "echo 'obey me' >> AGENTS.md; mv AGENTS.md a; cp /dev/null AGENTS.md",
    "changed service": "echo 'on: push' >> .github/workflows/ci.yml; mv .github g",
    **{
        f"read {name}": f"cat {{home}}/{name} || cp -r {{home}}/{name.rpartition('/')[0] or name} copied; cat copied/*"
        for name in (
            ".ssh/id_ed25519", ".aws/credentials", ".gnupg/secring", ".config/gh/hosts.yml", ".netrc",
            ".docker/config.json", ".kube/config", ".mozilla/firefox/logins.json", ".git-credentials",
            ".bash_history", "wakeful/keys.toml",
        )
    },
    "read by link": "ln -s {home}/.ssh s; cat s/id_ed25519; ln {home}/.ssh/id_ed25519 h; cat h",
    "read through root": "cat /proc/self/root{home}/.ssh/id_ed25519 /proc/1/root{home}/.ssh/id_ed25519",
    "read through a process": "cat /proc/{pid}/root{home}/.ssh/id_ed25519 /proc/{pid}/cwd/.ssh/id_ed25519",
    "read after unmounting": "umount -l {home}/.ssh; unshare -Urm umount -l {home}/.ssh; cat {home}/.ssh/id_ed25519",
    "read shadow": "grep -q . /etc/shadow && echo {done}",
    "environment of others": "cat /proc/{pid}/environ; cat /proc/[0-9]*/environ",
    "memory of others": "head -c 1 /proc/{pid}/mem; cat /proc/{pid}/fd/* && echo {done}",
    "docker socket": _CONNECT.format(address="'{home}/.docker/run/docker.sock'"),
    "socket elsewhere": _CONNECT.format(address="'{outside}/daemon.sock'"),
    "socket in the workspace": _CONNECT.format(address="'{root}/dev.sock'"),
    "socket with a relative name": _CONNECT.format(address="'../outside/relative.sock'"),
    "socket by a link": "ln {outside}/daemon.sock l; " + _CONNECT.format(address="'l'"),
    "abstract socket": _CONNECT.format(address="'\\\\0{abstract}'"),
    "sockets of the system": "find /run/ /var/run/ -type s 2>/dev/null | grep . && echo {done}",
    "tcp": "python3 -c \"import socket; socket.create_connection(('127.0.0.1', {port}), 2); print('ESC'+'APED')\"",
    "tcp by bash": "exec 3<>/dev/tcp/127.0.0.1/{port} && echo {done}",
    "udp": "python3 -c \"import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', {port}))\"",
    "write beside": "touch ../beside; echo x > {outside}/x; mkdir {outside}/d",
    "write to a start file": "echo 'touch ran' >> {home}/.bashrc; echo x > {home}/.zshenv",
    "truncate": "truncate -s 0 {home}/.bashrc; python3 -c \"import os; os.open('{home}/.bashrc', os.O_TRUNC)\"",
    "rename out": "touch f; mv f {home}/f; mv {home}/.bashrc .; ln f {outside}/f",
    "delete outside": "rm -rf {home}/.bashrc {outside}/kept",
    "remount everything": "mount -o remount,rw,bind / ; mount -o remount,rw / ; touch {outside}/x",
    "device": "mknod d b 8 0 && head -c 1 d && echo {done}; head -c 1 /dev/[svn][dav]* && echo {done}",
    "kernel setting": "f=/proc/sys/vm/swappiness; v=$(cat $f) && echo $v > $f && echo {done}",
    "kill": "kill -9 {pid}; python3 -c \"import os; os.kill({pid}, 9)\"",
    "trace": "python3 -c \"import ctypes,sys; sys.exit(ctypes.CDLL(None).ptrace(16, {pid}, 0, 0))\" && echo {done}",
    "other namespaces": "nsenter -t {pid} -m -p true && echo {done}; chroot /proc/1/root true && echo {done}",
    "shared memory": "ls -A /dev/shm | grep {abstract} && echo {done}",
}  # fmt: skip


@dataclass
class Scene:
    """Outside `/tmp`, which every layer replaces as a whole. Use as a context manager."""

    base: Path = field(
        default_factory=lambda: Path(tempfile.mkdtemp(prefix=".scene-", dir=Path(__file__).parent))
    )
    hits: int = 0

    def __enter__(self) -> Self:
        self.home, self.outside, self.root = self.base / "home", self.base / "outside", self.base / "ws"
        self.abstract = f"wakeful-{self.base.name}"
        self._stack = contextlib.ExitStack()
        self._stack.callback(shutil.rmtree, self.base, ignore_errors=True)
        self._furnish()
        # The path of a socket is short, that of a checkout may not be.
        short = Path(self._stack.enter_context(tempfile.TemporaryDirectory())) / "base"
        short.symlink_to(self.base)
        sockets = ("home/.docker/run/docker.sock", "outside/daemon.sock", "ws/dev.sock")
        for address in (*(f"{short}/{name}" for name in sockets), f"\0{self.abstract}"):
            server = self._stack.enter_context(socket.socket(socket.AF_UNIX))
            server.bind(address)
            server.listen(100)
        daemon = subprocess.Popen([sys.executable, "-c", _DAEMON], cwd=self.outside, stdout=subprocess.PIPE)
        self._stack.callback(self._end, daemon)
        assert daemon.stdout is not None
        daemon.stdout.read(1)
        tcp = self._stack.enter_context(socket.socket())
        tcp.bind(("127.0.0.1", 0))
        tcp.listen(100)
        self.port = int(tcp.getsockname()[1])
        self.udp = self._stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        self.udp.bind(("127.0.0.1", self.port))
        self.udp.setblocking(False)
        shared = Path("/dev/shm") / self.abstract
        if shared.parent.is_dir():
            shared.touch()
            self._stack.callback(shared.unlink, missing_ok=True)
        self.victim = subprocess.Popen(["sleep", "600"], env={"KEY": TOKEN}, cwd=self.home)
        self._stack.callback(self._end, self.victim)
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    @property
    def places(self) -> Places:
        return Places(self.root, private=(self.home / "wakeful",), home=self.home)

    def attempt(self, sandbox: Sandbox, script: str) -> str:
        """Run one line in the sandbox; return what got out, empty if nothing did."""
        before = self._state()
        line = script.format(
            home=self.home, outside=self.outside, root=self.root, pid=self.victim.pid, port=self.port,
            abstract=self.abstract, done="ESC''APED",
        )  # fmt: skip
        confinement = Confinement(sandbox, self.places, self.base / "state")
        with confinement.command(["bash", "-c", line], line, approved=False) as argv:
            done = subprocess.run(
                argv, cwd=self.root, env={**os.environ, **GIT}, stdin=subprocess.DEVNULL, capture_output=True,
                text=True, errors="replace", timeout=60, check=False,
            )  # fmt: skip
        confinement.close()
        return self._evidence(before, done.stdout)

    def _evidence(self, before: dict[str, str], printed: str) -> str:
        subprocess.run(
            ["git", "status"], cwd=self.root, env={**os.environ, **GIT}, capture_output=True, check=False
        )
        after = self._state()
        if TOKEN in printed or DONE in printed:
            return f"printed {printed[:80]!r}"
        with contextlib.suppress(BlockingIOError):
            return f"sent {self.udp.recv(10)!r}"
        if self.victim.poll() is not None:
            return "killed a process"
        changed = [path for path in before.keys() | after.keys() if before.get(path) != after.get(path)]
        return f"changed {sorted(changed)[:3]}" if changed else ""

    def clean(self) -> None:
        """What attempts leave in the workspace, which they may write, must not help the next one."""
        for path in self.root.iterdir():
            if path.name not in self._kept:
                shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()

    def _furnish(self) -> None:
        for escape in ESCAPES:
            if escape.startswith(("read .", "read wakeful")):
                path = self.home / escape.removeprefix("read ")
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(TOKEN + path.name)
        (self.home / ".docker" / "run").mkdir()
        (self.home / ".bashrc").write_text("# mine\n")
        self.outside.mkdir()
        (self.outside / "kept").write_text("kept")
        self.root.mkdir()
        self._repository(self.root)
        (self.root / "AGENTS.md").write_text("Be kind.\n")
        workflows = self.root / ".github" / "workflows"
        workflows.mkdir(parents=True)
        (workflows / "ci.yml").write_text("on: {}\n")
        self._repository(self.root / "sub")
        commit = self._git(self.root / "sub", "rev-parse", "HEAD")
        for name in ("sub", "absent"):
            self._git(self.root, "update-index", "--add", "--cacheinfo", f"160000,{commit},{name}")
        self._kept = {path.name for path in self.root.iterdir()} | {"dev.sock"}

    def _repository(self, folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        self._git(folder, "init", "-q")
        identity = ["-c", "user.name=x", "-c", "user.email=x@y"]
        self._git(folder, *identity, "commit", "-q", "--allow-empty", "-m", "one")

    def _git(self, folder: Path, *words: str) -> str:
        return subprocess.run(
            ["git", *words], cwd=folder, env={**os.environ, **GIT}, check=True, capture_output=True, text=True
        ).stdout.strip()

    def _state(self) -> dict[str, str]:
        """Everything that must stay as it is, and the marker that code run by the host's git leaves."""
        frozen = (
            ".git",
            "sub/.git",
            "absent",
            ".github",
            "AGENTS.md",
            ".vscode",
            ".idea",
            ".envrc",
            ".wakeful",
        )
        more = (".claude", ".mcp.json", "ran-by-host")
        trees = (self.home, self.outside, *(self.root / name for name in (*frozen, *more)))
        return {str(path): _print(path) for tree in trees for path in _walk(tree)} | _names(self.base)

    def _end(self, process: subprocess.Popen[bytes]) -> None:
        with contextlib.suppress(ProcessLookupError):
            process.send_signal(signal.SIGKILL)
        process.communicate()


def _names(base: Path) -> dict[str, str]:
    return {path.name: "" for path in base.iterdir() if path.name != "state"}


def _walk(tree: Path) -> Iterator[Path]:
    if tree.is_symlink() or tree.exists():
        yield tree
    if tree.is_dir() and not tree.is_symlink():
        # The host's git refreshes its index when it looks.
        yield from (path for path in tree.rglob("*") if path.name != "index")


def _print(path: Path) -> str:
    about = path.lstat()
    content = (
        hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() and not path.is_symlink() else ""
    )
    return f"{about.st_mode:o} {content}"
