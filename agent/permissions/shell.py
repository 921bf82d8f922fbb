"""Judges a command line: what no rule may allow, what a rule frees, and what a person must see."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from agent.executables import found_below
from agent.permissions import git, programs
from agent.permissions.bash import Simple, loose_commands, loose_words, read_line
from agent.permissions.display import is_honest
from agent.permissions.operands import use_objection, words_objection
from agent.permissions.paths import Places, is_internal, real, within
from agent.permissions.rules import Rule, by_weight, parse_rules
from agent.permissions.shapes import ShapeError, Use
from store.frozen import frozen

# These take any number of paths; a name that is no path is an error or a revision to look at.
_GIT_PATHS = frozenset({"diff", "log", "show", "grep", "status", "ls-files"})
# Frees programs that are known to only look, and no others.
_ANYTHING = Rule("shell", "*")

READING = parse_rules(
    [
        *(f"shell {name} *" for name in sorted(programs.READERS)),
        "shell git *",
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
            # The last word: `--` may stand before it.
            folders |= {real(folder / simple.arguments[-1]) for folder in folders}
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
    name = _real_name(simple.program, places)
    if name != programs.base_name(simple.program) and name in programs.UNFREED:
        return f"{simple.program} is really {name}"
    if _replaced(simple.program, places):
        return f"{simple.program} would be run from the workspace (through PATH)"
    if name == "git":
        return _git_objection(simple, rule, places, folders)
    if rule.exact and not programs.reader_name(simple.program):
        return _exact_objection(simple, rule, places, folders)
    try:
        uses = programs.known_uses(simple.words, rule.literal)
    except ShapeError as error:
        return f"{simple.program}: {error}"
    problems = (use_objection(use, places, folder, rule.literal) for folder in folders for use in uses)
    problem = next(filter(None, problems), "")
    if problem or programs.reader_name(simple.program):
        return problem
    return _place_objection(simple, places, folders) or words_objection(
        simple, places, real(places.root), rule.literal
    )


def _exact_objection(simple: Simple, rule: Rule, places: Places, folders: frozenset[Path]) -> str:
    """A part of a line may be freed by its exact rule, if nothing before it changes its meaning."""
    if simple.piped:
        return f"{simple.program} reads what another command prints"
    return (
        programs.exact_objection(simple.program)
        or _place_objection(simple, places, folders)
        or words_objection(simple, places, real(places.root), rule.literal)
    )


def _place_objection(simple: Simple, places: Places, folders: frozenset[Path]) -> str:
    """What a rule frees was judged for the workspace: elsewhere the same words mean other files."""
    root = real(places.root)
    if folders != frozenset({root}):
        return f"the rule for {simple.program} holds only in the workspace folder, not after cd"
    if "/" in simple.program and not simple.program.startswith("/"):
        inside = within(real(root / simple.program), root)
        return "" if inside else f"{simple.program} is outside the workspace"
    return ""


def _git_objection(simple: Simple, rule: Rule, places: Places, folders: frozenset[Path]) -> str:
    words = [word.text for word in simple.words]
    if any(word.glob for word in simple.words) and words[1] not in _GIT_PATHS:
        return "a pattern can become any number of words"
    objection = git.objection(words, rule.literal)
    for folder in folders:
        objection = (
            objection
            or git.folder_objection(words, folder, places)
            or words_objection(simple, places, folder, rule.literal)
            or _comparison_objection(simple, places, folder, rule.literal)
        )
    return objection


def _comparison_objection(simple: Simple, places: Places, folder: Path, literal: str) -> str:
    """Without an index git reads whole folders, as a search does."""
    if not git.compares_files([word.text for word in simple.words], folder, places):
        return ""
    compared = [Use("C", word) for word in simple.words[2:] if not word.text.startswith("-")]
    return next(filter(None, (use_objection(use, places, folder, literal) for use in compared)), "")


def _replaced(program: str, places: Places) -> bool:
    """True if a file of the workspace takes the place of a program that is known to only look."""
    known = program in programs.READERS or program == "git"
    return known and bool(places.path) and found_below(program, places.root, places.path)


def _real_name(program: str, places: Places) -> str:
    return programs.base_name(str(real(places.root / program)) if "/" in program else program)


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
