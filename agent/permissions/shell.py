"""Judges a command line: what no rule may allow, what a rule frees, and what a person must see."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from agent.executables import found_below
from agent.permissions import git, programs
from agent.permissions.bash import Simple, Word, loose_commands, loose_words, read_line
from agent.permissions.display import is_honest
from agent.permissions.errors import PermissionsError
from agent.permissions.paths import Places, holds_private, is_internal, locate, real, within
from agent.permissions.rules import Rule, by_weight, parse_rules
from store.frozen import frozen

_MOST_NAMES = 1000
_LONGEST_CLUSTER = 64
# Frees programs that are known to only look, and no others.
_ANYTHING = Rule("shell", "*")

READING = parse_rules(
    [
        *(f"shell {name} *" for name in sorted(programs.READERS)),
        "shell git *",
        "shell sed -n *",
    ],
    "builtin",
)


@frozen
class Finding:
    """`rule` is what decided; `reading` says that nothing but programs that only look would run."""

    verdict: str
    reason: str
    rule: Rule | None = None
    reading: bool = False


def refusal(command: str, denying: Iterable[Rule], places: Places) -> Finding | None:
    """What stays denied in every mode, judged on a generous reading of the text."""
    danger = _unrunnable(command) or _catastrophe(command) or _trespass(command, places)
    if danger:
        return Finding("deny", danger)
    line = read_line(command)
    spelled = [[word.text for word in simple.words] for simple in line.commands]
    for words in (*spelled, *loose_commands(command)):
        for text in _spellings(words):
            for rule in denying:
                if rule.matches(text):
                    return Finding("deny", f"denied by the rule '{rule}'", rule)
    return None


def judge(command: str, rules: Iterable[Rule], places: Places) -> Finding:
    """Whether the allowing and asking rules free every part of the line; what is not understood is asked."""
    rules = tuple(rules)
    whole = _whole_line(command, rules)
    if whole is not None:
        return whole
    line = read_line(command)
    if line.puzzle:
        return Finding("ask", f"not fully understood: {line.puzzle}")
    folders = frozenset({real(places.root)})
    found: list[Finding] = []
    for simple in line.commands:
        found.append(_judge_simple(simple, rules, places, folders))
        if found[-1].verdict != "allow":
            return found[-1]
        if simple.program == "cd":
            folders |= {real(folder / simple.arguments[0]) for folder in folders}
    reading = all(finding.reading for finding in found)
    return Finding("allow", found[0].reason, found[0].rule, reading)


def understood(command: str) -> bool:
    return not read_line(command).puzzle


def only_looks(command: str) -> bool:
    """True if the words of a line say that nothing but git calls and programs that only look would run.

    The files of the folder do not count: they may change between the judgement and the start.
    """
    line = read_line(command)
    return not line.puzzle and all(
        any(rule.matches(simple.text) for rule in READING)
        and (simple.program != "git" or not git.objection([word.text for word in simple.words], ""))
        for simple in line.commands
    )


def _whole_line(command: str, rules: Sequence[Rule]) -> Finding | None:
    for rule in by_weight(rules):
        named = rule.pattern.replace("\\*", "*")
        if rule.exact and named in (command, command.strip()) and is_honest(command):
            return Finding(rule.verdict, f"the rule '{rule}' names this very line", rule)
    return None


def _judge_simple(simple: Simple, rules: Sequence[Rule], places: Places, folders: frozenset[Path]) -> Finding:
    reason = f"no rule allows {simple.program}"
    for rule in by_weight(rules):
        if not rule.matches(simple.source if rule.exact else simple.text):
            continue
        if rule.verdict == "ask":
            return Finding("ask", f"the rule '{rule}' asks", rule)
        objection = _objection(simple, rule, places, folders)
        if not objection:
            reading = rule.layer == "builtin" or not _objection(simple, _ANYTHING, places, folders)
            return Finding("allow", f"allowed by the rule '{rule}'", rule, reading)
        reason = objection
    return Finding("ask", reason)


def _objection(simple: Simple, rule: Rule, places: Places, folders: frozenset[Path]) -> str:
    words = [word.text for word in simple.words]
    name = _real_name(simple.program, places)
    if name != programs.base_name(simple.program) and name in programs.UNFREED:
        return f"{simple.program} is really {name}"
    if _replaced(simple.program, name, places):
        return f"{simple.program} would be run from the workspace (through PATH)"
    if name == "git" or name.startswith("git-"):
        found = (git.folder_objection(words, folder, places) for folder in folders)
        objection = git.objection(words, rule.literal) or next((reason for reason in found if reason), "")
    else:
        objection = programs.objection(words, rule.literal)
    return objection or _path_objection(simple, rule, places, folders)


def _replaced(program: str, name: str, places: Places) -> bool:
    """True if a file of the workspace takes the place of a program that is known to only look."""
    known = name in programs.READERS or name in ("git", "sed") or name.startswith("git-")
    return (
        known and "/" not in program and bool(places.path) and found_below(program, places.root, places.path)
    )


def _real_name(program: str, places: Places) -> str:
    return programs.base_name(str(real(places.root / program)) if "/" in program else program)


def _path_objection(simple: Simple, rule: Rule, places: Places, folders: frozenset[Path]) -> str:
    searching = programs.searches(_real_name(simple.program, places), simple.arguments)
    if searching and any(holds_private(places, folder) for folder in folders):
        return "the folder holds Wakeful's own files"
    named = [word for word in rule.literal.split() if word.startswith("/")]
    for folder in folders:
        candidates = (candidate for word in simple.words[1:] for candidate in _candidates(word, folder))
        for candidate in dict.fromkeys(candidates):
            problem = _stray(candidate, places, folder, named)
            if problem:
                return problem
    if "/" in simple.program and not simple.program.startswith("/"):
        program = real(places.root / simple.program)
        return "" if within(program, real(places.root)) else f"{simple.program} is outside the workspace"
    return ""


def _candidates(word: Word, folder: Path) -> Iterator[str]:
    if word.glob:
        base = Path("/") if word.text.startswith("/") else folder
        found = [str(path) for path in islice(base.glob(word.text.lstrip("/")), _MOST_NAMES + 1)]
        yield from found if len(found) <= _MOST_NAMES else ["/"]
        yield re.split(r"[*?]", word.text)[0]
        return
    yield word.text
    for separator in "=:@":
        yield word.text.partition(separator)[2]
    if word.text.startswith("-"):
        # Letters may stand together, and the last one's value beside them.
        yield from (word.text[start:] for start in range(2, min(len(word.text), _LONGEST_CLUSTER)))


def _stray(text: str, places: Places, folder: Path, named: Sequence[str]) -> str:
    if text in ("", "/dev/null") or (len(text) > 255 and "/" not in text):
        return ""
    try:
        located = locate(places, text, folder=folder)
    except PermissionsError as error:
        # A dollar or tilde that bash was told to leave alone is only text.
        return "" if text.startswith("$") or (text[0] in "~\\" and "/" not in text) else str(error)
    if located.internal and located.path.exists():
        return f"{text} is inside .git or .wakeful"
    if located.inside or located.readable or any(str(located.path).startswith(prefix) for prefix in named):
        return ""
    return f"{text} is outside the workspace"


def _spellings(words: list[str]) -> Iterator[str]:
    """The call itself, and what is left behind assignments, keywords and wrappers."""
    while words:
        yield " ".join(words)
        name = words[0].rpartition("/")[2]
        if name != words[0]:
            yield " ".join([name, *words[1:]])
        if name in programs.WRAPPERS:
            for start in range(1, len(words)):
                yield " ".join(words[start:])
            return
        if not re.match(r"[A-Za-z_]\w*\+?=", words[0]):
            return
        words = words[1:]


def _unrunnable(command: str) -> str:
    try:
        return "a NUL byte" if b"\0" in os.fsencode(command) else ""
    except UnicodeEncodeError:
        return "text that no program can receive"


def _catastrophe(command: str) -> str:
    """Not a fence, only a last look: what nobody means to run, spelled the usual ways."""
    if re.search(r":\s*\(\)\s*\{.*:\s*\|", command):
        return "a fork bomb"
    if re.search(r">\s*/dev/(sd|nvme|hd|vd|mmcblk|disk|mem)", command):
        return "writes to a device"
    for words in loose_commands(command):
        name = words[0].rpartition("/")[2]
        roots = {"/", "/*", "~", "~/", "~/*", "$HOME", "$HOME/", "$HOME/*", "HOME"}
        hits = roots.intersection(words[1:])
        if name == "rm" and hits and any(re.match(r"-\w*[rR]|--rec", word) for word in words):
            return f"removes {hits.pop()}"
        if name == "find" and hits and "-delete" in words:
            return f"deletes from {hits.pop()}"
        if name.startswith("mkfs") or (name == "dd" and any(word.startswith("of=/dev/") for word in words)):
            return "writes to a device"
    return ""


def _trespass(command: str, places: Places) -> str:
    root = real(places.root)
    for word in loose_words(command):
        expanded = re.sub(r"^(~|\$HOME)(?=/|$)", lambda _: str(places.home), word)
        path = real(root / expanded) if len(expanded) < 4096 else root
        if any(within(path, private) for private in places.private) and not any(
            within(path, folder) for folder in places.readable
        ):
            return f"{word} is Wakeful's own"
    for target in re.findall(r">[>|&]?\s*[\"']?([^\s\"';&|<>()]+)", command):
        expanded = re.sub(r"^(~|\$HOME|\$\{HOME\})(?=/|$)", lambda _: str(places.home), target)
        if is_internal(Path(expanded)) or re.search(r"/\.(bash|zsh|profile|ssh|config/fish)", expanded):
            return f"writes to {target}"
    for words in loose_commands(command):
        if words[0].rpartition("/")[2] in programs.WRITERS and any(is_internal(Path(w)) for w in words[1:]):
            return f"{words[0]} inside .git or .wakeful"
    return ""
