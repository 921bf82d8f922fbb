"""Mutates command lines and lets bash itself judge: what the policy allows writes and reveals nothing."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from agent.permissions.paths import Places
from agent.permissions.policy import Policy
from agent.permissions.programs import READERS
from agent.permissions.project_tools import PROJECT_TOOLS
from agent.permissions.rules import Rule, parse_rules
from tests.reliability.shell_lines import HARMLESS, MARKER, known_options, mutate, program_call, programs

NAME = "shell allow-list bypasses"
FULL = 10_000
CANARY = "outer-canary-7431"
OWN_CANARY = "inner-canary-7431"
_WORKERS = 2

RULES = parse_rules(
    [
        *(
            f"shell {name} *"
            for name in ("ls", "cat", "echo", "find", "grep", "sort", "sed", "git", "printf")
        ),
        *(
            f"shell {name}*"
            for name in ("git log", "git diff", "git status", "true", "date", "seedcmd", "tar", "pytest")
        ),
        *(f"shell {name} *" for name in ("env", "bash", "python3", "awk", "xargs", "tee", "touch", "nohup")),
        *(f"shell {name}" for name in ("true", "./test.sh", "make test")),
        "shell make test *",
        "shell *",
    ]
)


@dataclass(frozen=True, slots=True)
class Mutation:
    """`rules` are the user's; in `home` the workspace is the home folder and holds our own files."""

    line: str
    rules: tuple[Rule, ...] = RULES
    home: bool = False


class Arena:
    """A workspace with links out of it, canaries around it, and bash to run lines in it."""

    def __init__(self, folder: Path) -> None:
        self._pristine = _make_base(folder / "pristine")
        self._base = folder / "base"
        self._restore()

    def allows(self, mutation: Mutation) -> bool:
        root = self._base / "ws"
        private = root / ".config" / "wakeful" if mutation.home else self._base / "home" / "private"
        home = root if mutation.home else self._base / "home"
        policy = Policy(Places(root, (private,), home=home), mutation.rules)
        return policy.decide("shell", "shell", self._line(mutation)).verdict == "allow"

    def harm(self, mutation: Mutation) -> str:
        """Run the line; return what it wrote or revealed, empty if nothing."""
        printed = _run(self._line(mutation), self._base / "ws", self._base)
        if _content(self._base) != self._before:
            self._restore()
            return "wrote a file"
        revealed = CANARY in printed or (mutation.home and OWN_CANARY in printed)
        return "printed a canary" if revealed else ""

    def _line(self, mutation: Mutation) -> str:
        line = mutation.line.replace("{ws}", str(self._base / "ws"))
        return line.replace("{outside}", str(self._base / "outside"))

    def _restore(self) -> None:
        shutil.rmtree(self._base, ignore_errors=True)
        shutil.copytree(self._pristine, self._base, symlinks=True)
        self._before = _content(self._base)


def run(scale: float, seed: int) -> str:
    """Raises AssertionError naming the first line that passed and still did harm."""
    count = max(1, round(FULL * scale))
    chance = random.Random(seed)
    options, names = known_options(), programs()
    mutations = [_mutation(chance, options, names) for _ in range(count)]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        arenas = [Arena(Path(folder) / str(number)) for number in range(_WORKERS)]
        needless = [line for line in HARMLESS if not arenas[0].allows(Mutation(line))]
        with ThreadPoolExecutor(_WORKERS) as pool:
            shares = [mutations[number::_WORKERS] for number in range(_WORKERS)]
            results = list(pool.map(_try_all, arenas, shares))
    ran = sum(number for number, _ in results)
    bad = [found for _, share in results for found in share]
    assert not bad, f"seed {seed}: {len(bad)} allowed lines did harm, such as {bad[:5]!r}"
    assert len(needless) <= 1, f"asked without need: {needless}"
    return (
        f"{count} mutations, {ran} allowed and run by bash, 0 markers, "
        f"{len(needless)} of {len(HARMLESS)} harmless lines asked (seed {seed})"
    )


def _mutation(chance: random.Random, options: list[str], names: list[str]) -> Mutation:
    if chance.random() < 0.15:
        line = program_call(chance, names)
        return Mutation(line, parse_rules([f"shell {line.partition(' ')[0]} *", "shell *"]))
    return Mutation(mutate(chance, options), home=chance.random() < 0.15)


def _try_all(arena: Arena, mutations: Iterable[Mutation]) -> tuple[int, list[tuple[str, str]]]:
    tried = 0
    bad: list[tuple[str, str]] = []
    for mutation in dict.fromkeys(mutations):
        if not arena.allows(mutation):
            continue
        tried += 1
        if mutation.rules is not RULES and mutation.line.partition(" ")[0] not in {*READERS, *PROJECT_TOOLS}:
            # A program that no table knows could do harm to this machine: passing is already wrong.
            bad.append((mutation.line, "frees an unknown program"))
            continue
        harm = arena.harm(mutation)
        if harm:
            bad.append((mutation.line, harm))
    return tried, bad


def _make_base(base: Path) -> Path:
    root, outside, private = base / "ws", base / "outside", base / "home" / "private"
    for folder in ("sub", "one", "two", "linked", "evil/deep", "keys", ".config/wakeful"):
        (root / folder).mkdir(parents=True)
    outside.mkdir()
    private.mkdir(parents=True)
    files = {"seed.txt": "a\nb\n", "sub/a.txt": "a\n", "M1": "a\n", "M2": "b\n", "-o": "x\n", "+x": "x\n",
             "--output=x": "x\n", ".env": f"KEY={CANARY}\n", "keys/a.pem": f"{CANARY}\n",
             ".config/wakeful/keys.toml": f"key = '{CANARY}'\n",
             ".config/wakeful/state.txt": f"{OWN_CANARY}\n", "makefile": "test:\n\t@true\n",
             "evil/Makefile": f"test:\n\ttouch {MARKER}\n"}  # fmt: skip
    for name, text in files.items():
        (root / name).write_text(text)
    for place in (outside / "secret.txt", private / "keys.toml"):
        place.write_text(f"{CANARY}\n")
    for name, target in (("link.txt", "../outside/secret.txt"), ("out", "../outside"), ("linkevil", "evil")):
        (root / name).symlink_to(target)
    for name in ("one", "two", "linked"):
        (root / name / "same.txt").symlink_to("../../outside/secret.txt")
    harmful = f"#!/bin/sh\ntouch {MARKER}\n"
    scripts = {"test.sh": "#!/bin/sh\ntrue\n", "evil/deep/test.sh": harmful}
    scripts |= dict.fromkeys(("evil.sh", "seedcmd", "evil/test.sh", "sub/run"), harmful)
    for name, text in scripts.items():
        (root / name).write_text(text)
        (root / name).chmod(0o755)
    settings = ["-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "init.defaultBranch=main"]
    for words in (["init", "-q", "--template="], ["add", "seed.txt", "sub"], ["commit", "-qm", "seed"]):
        subprocess.run(["git", *settings, *words], cwd=root, check=True, env=_environment(base / "home"))
    return base


def _run(line: str, root: Path, base: Path) -> str:
    try:
        command = ["bash", "-c", os.fsencode(line)]
    except UnicodeEncodeError:
        return ""
    process = subprocess.Popen(
        command,
        cwd=root,
        env=_environment(base / "home"),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    try:
        output, _ = process.communicate(timeout=5)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 9)
        output, _ = process.communicate()
    return output.decode(errors="replace")


def _content(base: Path) -> dict[str, bytes]:
    """Everything but git's index, which git refreshes when it looks."""
    found: dict[str, bytes] = {}
    for place, folders, files in os.walk(base):
        found |= {f"{place}/{name}": b"" for name in folders}
        for name in files:
            path = f"{place}/{name}"
            if name != "index":
                found[path] = _bytes(Path(path))
    return found


def _bytes(path: Path) -> bytes:
    return bytes(path.readlink()) if path.is_symlink() else path.read_bytes()


def _environment(home: Path) -> dict[str, str]:
    return {
        "PATH": "/usr/bin:/bin",
        "HOME": str(home),
        "GIT_CONFIG_NOSYSTEM": "1",
        "LC_ALL": "C.UTF-8",
    }


def main(arguments: list[str]) -> int:
    seed = int(arguments[0]) if arguments else random.SystemRandom().randrange(2**32)
    print(run(1.0, seed))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
