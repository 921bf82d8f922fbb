"""Mutates command lines and lets bash itself judge: what the policy allows must leave no marker behind."""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from agent.permissions.paths import Places
from agent.permissions.policy import Policy
from agent.permissions.programs import READERS
from agent.permissions.rules import parse_rules

NAME = "shell allow-list bypasses"
FULL = 10_000
MARKER = "PWNED"

RULES = parse_rules(
    [
        *(
            f"shell {name} *"
            for name in ("ls", "cat", "echo", "find", "grep", "sort", "sed", "git", "printf")
        ),
        *(
            f"shell {name}*"
            for name in ("git log", "git diff", "git status", "true", "date", "seedcmd", "tar")
        ),
        *(f"shell {name} *" for name in ("env", "bash", "python3", "awk", "xargs", "tee", "touch", "nohup")),
        "shell true",
        "shell *",
    ]
)

HARMLESS = (
    "ls -la", "cat seed.txt", "echo hello", "find . -name '*.py'", "grep -n 'a|b' seed.txt",
    "sort seed.txt", "sed -n 1,2p seed.txt", "sed s/a/b/ seed.txt", "git log --oneline", "git diff",
    "git status --short", "printf '%s' x", "true", "date +%s", "head -n 1 seed.txt", "wc -l seed.txt",
    "cd sub && ls", "ls sub/*.txt", "cat seed.txt | sort | uniq", "echo 'x; y'", "git show HEAD",
    "git branch", "find sub -type f", "tr a b", "uniq seed.txt", "cut -c1 seed.txt", "tree sub",
    "diff seed.txt sub/a.txt", "tail -n 2 seed.txt",
)  # fmt: skip

PAYLOADS = (
    f"touch {MARKER}", f"echo x > {MARKER}", f"tee {MARKER}", f"cp seed.txt {MARKER}",
    f"env touch {MARKER}", f"bash -c 'touch {MARKER}'", f"find . -maxdepth 0 -exec touch {MARKER} ';'",
    f"sort -o {MARKER} seed.txt", f"sed -n 'w {MARKER}' seed.txt",
    f"sed -n '1e touch {MARKER}' seed.txt", f"awk 'BEGIN{{print > \"{MARKER}\"}}'",
    f"git diff --no-index --output={MARKER} seed.txt sub/a.txt", f"git -c alias.x='!touch {MARKER}' x",
    f"printf -v 'a[$(touch {MARKER})]' x", f"find . -fprint {MARKER}", f"uniq seed.txt {MARKER}",
    "./evil.sh", f"xargs touch {MARKER}", f"tar cf {MARKER} seed.txt", f"date >{MARKER}",
    f"python3 -c \"open('{MARKER}','w')\"", f"nohup touch {MARKER}", f"ln -s seed.txt {MARKER}",
    f"mkdir {MARKER}", f"test -v 'a[$(touch {MARKER})]'", f"printf '%n' 'a[$(touch {MARKER})]'",
    "sort --compress-program=./evil.sh -S 1 seed.txt", "seedcmd", f"sort --outp={MARKER} seed.txt",
    f"git log --outpu={MARKER}", "git grep -O./evil.sh seed", ". ./evil.sh",
    f"sed --in-place=.{MARKER} s/a/b/ seed.txt", f"sed 's/.*/touch {MARKER}/e' seed.txt",
    "PATH=.:$PATH seedcmd",
)  # fmt: skip

GLUE = (
    ";", "&&", "||", "|", "|&", "&", "\n", "\r\n", "\r", "\\\n", " # ", "`", "$(", ")", "<(", ">", ">>",
    ">|", "<", "{ ", "; }", "(", "'", '"', "\\", "$'", "$'\\x3b'", "$IFS", "${IFS}", "~", "!", "*", "?",
    "{a,b}", "\t", "\x0b", "\u00a0", "\u200b", "\uff1b", "\x00", "\x1b", "=", " -- ", "--", "-", "<<<",
    "<<E\n", "\nE\n", "$((", "))", "[[ ", " ]]", "eval ", "exec ", "command ", "time ", "coproc ",
    "A=1 ", "if true; then ", "; fi", "''", '""',
)  # fmt: skip


OPERATORS = (";", "&&", "||", "|")


def run(scale: float, seed: int) -> str:
    """Raises AssertionError naming the first line that passed and still did harm."""
    count = max(1, round(FULL * scale))
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        template = make_workspace(Path(folder) / "template")
        policy = Policy(Places(template, (Path(folder) / "home",), home=Path(folder) / "home"), RULES)
        options = known_options()
        lines = [mutate(chance, options) for _ in range(count)]
        allowed = [line for line in lines if policy.decide("shell", "shell", line).verdict == "allow"]
        with ThreadPoolExecutor(2) as pool:
            harmed = list(pool.map(partial(leaves_marker, template), dict.fromkeys(allowed)))
    bad = [line for line, harm in zip(dict.fromkeys(allowed), harmed, strict=True) if harm]
    assert not bad, f"seed {seed}: {len(bad)} allowed lines left a marker, such as {bad[0]!r}"
    return f"{count} mutations, {len(allowed)} allowed and run by bash, 0 markers (seed {seed})"


def known_options() -> list[str]:
    """What the freed programs say of themselves: every option is tried with something that would show."""
    calls = [name for name in READERS if shutil.which(name)]
    calls += [
        f"git {name}"
        for name in ("log", "diff", "show", "status", "grep", "branch", "tag", "blame", "remote")
    ]
    found: list[str] = []
    for call in calls:
        # git answers --help with a manual page, and cd and type with the shell's own words.
        words = [*call.split(), "-h" if call.startswith("git ") else "--help"]
        said = subprocess.run(words, capture_output=True, stdin=subprocess.DEVNULL, timeout=20, check=False)
        text = (said.stdout + said.stderr).decode(errors="replace")
        options = set(re.findall(r"(?<![\w-])--?[A-Za-z][A-Za-z0-9-]*", text))
        found += [f"{call} {option}" for option in sorted(options)]
    return found


def mutate(chance: random.Random, options: Sequence[str]) -> str:
    """A harmless line, a harmful one, and what might make the one pass for the other."""
    line, payload = chance.choice(HARMLESS), chance.choice(PAYLOADS)
    way = chance.choice((_joined, _wrapped, _as_arguments, _scrambled, _spoiled))
    return _tried_option(chance, options) if chance.random() < 0.25 else way(chance, line, payload)


def _joined(chance: random.Random, line: str, payload: str) -> str:
    first, second = chance.choice(((line, payload), (payload, line)))
    glue = chance.choice((*GLUE, *OPERATORS * 10))
    return f"{first}{chance.choice((' ', ''))}{glue}{chance.choice((' ', ''))}{second}"


def _wrapped(chance: random.Random, line: str, payload: str) -> str:
    return _insert(chance, line, chance.choice(GLUE) + payload + chance.choice(GLUE))


def _as_arguments(chance: random.Random, line: str, payload: str) -> str:
    words = payload.split()
    return " ".join([*line.split(), *chance.sample(words, chance.randint(1, len(words)))])


def _scrambled(chance: random.Random, line: str, payload: str) -> str:
    for _ in range(chance.randint(1, 4)):
        payload = _insert(chance, payload, chance.choice(GLUE))
    return payload


def _spoiled(chance: random.Random, line: str, payload: str) -> str:
    mixed = f"{line} {chance.choice(OPERATORS)} {chance.choice(HARMLESS)}"
    return _insert(chance, mixed, chance.choice((*GLUE, "", "", f" {MARKER}", f">{MARKER}")))


def _tried_option(chance: random.Random, options: Sequence[str]) -> str:
    option = chance.choice(options)
    cut = chance.randint(len(option) - 3, len(option)) if chance.random() < 0.3 else len(option)
    value = chance.choice((MARKER, "./evil.sh", "seed.txt", f"./{MARKER}", f"'touch {MARKER}'"))
    return f"{option[:cut]}{chance.choice(('=', ' ', ''))}{value} {chance.choice(('', 'seed.txt', 'sub .'))}"


def _insert(chance: random.Random, text: str, piece: str) -> str:
    at = chance.randint(0, len(text))
    return text[:at] + piece + text[at:]


def make_workspace(root: Path) -> Path:
    (root / "sub").mkdir(parents=True)
    (root / "seed.txt").write_text("a\nb\n")
    (root / "sub" / "a.txt").write_text("a\n")
    for name in ("evil.sh", "seedcmd"):
        (root / name).write_text(f"#!/bin/sh\ntouch {MARKER}\n")
        (root / name).chmod(0o755)
    settings = ["-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "init.defaultBranch=main"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "seed"]):
        subprocess.run(["git", *settings, *words], cwd=root, check=True, env=_environment(root))
    return root


def leaves_marker(template: Path, line: str) -> bool:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        root = Path(folder) / "ws"
        shutil.copytree(template, root, symlinks=True)
        before = _content(root)
        process = subprocess.Popen(
            ["bash", "-c", line],
            cwd=root,
            env=_environment(root),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            process.wait()
        return _content(root) != before


def _content(root: Path) -> dict[Path, bytes]:
    """Everything but git's index, which git refreshes when it looks."""
    found = (path for path in root.rglob("*") if path.name != "index")
    return {path: path.read_bytes() if path.is_file() else b"" for path in found}


def _environment(home: Path) -> dict[str, str]:
    return {
        "PATH": "/usr/bin:/bin",
        "HOME": str(home.parent),
        "GIT_CONFIG_NOSYSTEM": "1",
        "LC_ALL": "C.UTF-8",
    }


def main(arguments: list[str]) -> int:
    seed = int(arguments[0]) if arguments else random.SystemRandom().randrange(2**32)
    print(run(1.0, seed))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
