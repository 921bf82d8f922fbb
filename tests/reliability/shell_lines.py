"""Command lines for the shell policy: harmless ones, harmful ones, and what might pass one for the other."""

from __future__ import annotations

import random
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from agent.permissions.readers import READERS

MARKER = "PWNED"

HARMLESS = (
    "ls -la", "cat seed.txt", "echo hello", "find . -name '*.py'", "grep -n 'a|b' seed.txt",
    "sort seed.txt", "sed -n 1,2p seed.txt", "sed s/a/b/ seed.txt", "git log --oneline", "git diff",
    "git status --short", "printf '%s' x", "true", "date +%s", "head -n 1 seed.txt", "wc -l seed.txt",
    "cd sub && ls", "ls sub/*.txt", "cat seed.txt | sort | uniq", "echo 'x; y'", "git show HEAD",
    "git branch", "find sub -type f", "tr a b", "uniq seed.txt", "cut -c1 seed.txt", "tree sub",
    "diff seed.txt sub/a.txt", "tail -n 2 seed.txt", "grep -rn a sub", "rg -n a sub", "du -sh sub",
    "xxd -l 8 seed.txt", "make test", "./test.sh", "./test.sh | tail -n 3", "stat -c %s seed.txt", "cat M*",
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
    "PATH=.:$PATH seedcmd", f"uniq seed.txt +{MARKER}", f"xxd seed.txt +{MARKER}", f"xxd -ac 8 {MARKER}",
    "uniq M*", "xxd M*", "uniq seed.txt +/../.git/commondir", f"compgen -C 'touch {MARKER}' a",
    f"trap 'touch {MARKER}' EXIT", f"eval touch {MARKER}", "source ./evil.sh", "exec ./evil.sh",
    f"mapfile -C 'touch {MARKER} #' -c 1 a", f"readarray -C 'touch {MARKER} #' -c 1 a",
    "hash -p ./evil.sh ls; ls", f"declare 'a[$(touch {MARKER})]=1'", f"let 'a[$(touch {MARKER})]=1'",
    f"[[ -v 'a[$(touch {MARKER})]' ]]", f"ssh-agent touch {MARKER}", "run-parts sub",
    f"choom -n 1 touch {MARKER}",
    f"linux64 touch {MARKER}", f"iconv -o{MARKER} seed.txt", f"cc -o{MARKER} x.c", "cd evil && ./test.sh",
    "cd evil && make test", "make -C evil test", "make test -f evil/Makefile", "env -C evil ./test.sh",
    "cat evil/test.sh | ./test.sh -s", "enable -f ./evil.sh x", "alias ls=./evil.sh; ls",
)  # fmt: skip

GLUE = (
    ";", "&&", "||", "|", "|&", "&", "\n", "\r\n", "\r", "\\\n", " # ", "`", "$(", ")", "<(", ">", ">>",
    ">|", "<", "{ ", "; }", "(", "'", '"', "\\", "$'", "$'\\x3b'", "$IFS", "${IFS}", "~", "!", "*", "?",
    "{a,b}", "\t", "\x0b", "\u00a0", "\u200b", "\uff1b", "\x00", "\x1b", "=", " -- ", "--", "-", "<<<",
    "<<E\n", "\nE\n", "$((", "))", "[[ ", " ]]", "eval ", "exec ", "command ", "time ", "coproc ",
    "A=1 ", "if true; then ", "; fi", "''", '""',
)  # fmt: skip

OPERATORS = (";", "&&", "||", "|")

# Words that turn one operand into two, into an option, or into a file to write.
OPERANDS = (
    f"+{MARKER}", "+/../.git/commondir", MARKER, f"./{MARKER}", "M*", "./M*", "M?", "*", "-*", "+*", "*1",
    "sub/*",
    "s*", "--", "-", "-o", f"-o{MARKER}", f"--output={MARKER}", "@x", "~", "~/x", "{M1,M2}", "M[12]",
    "$HOME",
    ".git/commondir", ".git/hooks/x", "-r", "-c", "8", "seed.txt", "M1", "M2", "sub/a.txt", "'M*'", "../x",
)  # fmt: skip

LINKS = (
    "link.txt", "./link.txt", "linked", "linked/", "linked/same.txt", "linked/*", "l*", "one two",
    "one/ two/",
    "out", "out/", "out/secret.txt", "out/*", "o*", ".", "", "sub/../link.txt", "{outside}/secret.txt",
    "{outside}",
    "../outside/secret.txt", ".env", "keys", "keys/a.pem", "keys/*", "k*/*", "seed.txt link.txt",
)  # fmt: skip

FOLLOWING = (
    "", "-L", "-R", "-r", "-RL", "-N", "-rN", "-Nr", "-H", "-P", "-l", "-follow", "--follow",
    "--dereference",
    "--hidden", "-uu", "-g '*'", "-s", "-z", "-f", "-a", "-n 3", "-c", "--recursive", "--files", "-xdev",
    "-e a",
    "-ls", "--files0-from", "--files-from", "-m", "--check", "-printf '%p %l'", "--pre cat",
    "-dereference", ".",
)  # fmt: skip

PRIVATE = (
    "", ".", "./", ".config", ".config/", ".config/wakeful", ".config/wakeful/keys.toml", ".config/*",
    ".config/wakeful/*", "~/.config", "$HOME", "sub/..", "sub/../.config", "{ws}", "{ws}/.config", ". sub",
)  # fmt: skip

WALKERS = (
    "grep -r a", "grep -rn key", "grep -R key", "egrep -rh .", "rg .", "rg --hidden .", "rg -uuu .",
    "rg -l .",
    "find", "find -name x -o -print", "ls -R", "ls -aR", "tree -a", "du -a", "fd -H .", "diff -r sub",
    "diff sub",
    "cat", "head", "wc -l", "sort", "grep key", "git diff --no-index sub", "xxd", "file", "md5sum",
    "sed -n p",
)  # fmt: skip

MOVES = (
    "cd evil && {}", "cd evil; {}", "cd evil || {}", "cd ./evil && {}", "cd sub/../evil && {}",
    "(cd evil && {})",
    "pushd evil && {}", "cd evil && ls && {}", "cd linkevil && {}", "cd evil | {}", "env -C evil {}",
    "cd e* && {}",
    "cd evil && cd . && {}", "cd -P evil && {}", "cd -- evil && {}", "{{ cd evil; {}; }}",
    "cat evil/test.sh | {}",
    "CDPATH=evil cd . && {}", "cd 'evil' && {}", "ls && cd evil && {} | cat", "cd evil/. && {}",
    "cd evil/deep && {}",
)  # fmt: skip

RULED = (
    "./test.sh",
    "make test",
    "make test -k",
    "make -C evil test",
    "make test -f evil/Makefile",
    "pytest -x",
)

WRITING = (
    f"-o {MARKER}", f"-o{MARKER}", f"--output={MARKER}", f"--output {MARKER}", f"-C 'touch {MARKER}'",
    f"+{MARKER}",
    f"seed.txt {MARKER}", f"-c 'touch {MARKER}'", f"-e 'touch {MARKER}'", f"touch {MARKER}", "./evil.sh",
    f"-exec touch {MARKER} ';'", f"--exec=touch {MARKER}", "sub", f"-oF {MARKER}", f"-n 1 touch {MARKER}",
    f"--log-file={MARKER}", f"-w {MARKER}", f"-f {MARKER}", f"-d {MARKER}", f"-i{MARKER} seed.txt",
    f"-- {MARKER}",
)  # fmt: skip


def programs() -> list[str]:
    """Return the names of all programs of this machine."""
    return sorted({path.name for path in Path("/usr/bin").iterdir() if path.name.isascii()})


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
    number = chance.random()
    if number < 0.2:
        return _tried_option(chance, options)
    if number < 0.5:
        return chance.choice((_reader_with_words, _reader_of_links, _walker, _moved))(chance)
    return chance.choice((_joined, _wrapped, _as_arguments, _scrambled, _spoiled))(chance, line, payload)


def program_call(chance: random.Random, names: Sequence[str]) -> str:
    """Any program, freed by a wildcard rule, with words that make some programs write or execute."""
    return f"{chance.choice(names)} {chance.choice(WRITING)}"


def _reader_with_words(chance: random.Random) -> str:
    words = chance.choices(OPERANDS, k=chance.randint(1, 3))
    return " ".join([chance.choice((*READERS, "uniq", "xxd", "sed -n p", "git diff", "echo")), *words])


def _reader_of_links(chance: random.Random) -> str:
    words = [
        chance.choice((*READERS, "diff", "ls", "find", "grep a", "rg a", "sed -n p", "git diff --no-index"))
    ]
    words += chance.choices(FOLLOWING, k=chance.randint(0, 2))
    words.insert(chance.randint(1, len(words)), chance.choice(LINKS))
    return " ".join(filter(None, words))


def _walker(chance: random.Random) -> str:
    prefix = chance.choice(("", "", "", "cd .config && ", "cd sub && ", "cd .config/wakeful; "))
    return f"{prefix}{chance.choice(WALKERS)} {chance.choice(PRIVATE)}".strip()


def _moved(chance: random.Random) -> str:
    return chance.choice(MOVES).format(chance.choice(RULED))


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
    value = chance.choice(
        (MARKER, "./evil.sh", "seed.txt", f"./{MARKER}", f"'touch {MARKER}'", "link.txt", "M*")
    )
    rest = chance.choice(("", "seed.txt", "sub .", "linked", "one two", "."))
    return f"{option[:cut]}{chance.choice(('=', ' ', ''))}{value} {rest}"


def _insert(chance: random.Random, text: str, piece: str) -> str:
    at = chance.randint(0, len(text))
    return text[:at] + piece + text[at:]
