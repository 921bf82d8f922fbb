"""The one place that answers whether a tool may do a thing: allow, ask a person, or deny."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Literal

from agent.permissions import addresses, shell
from agent.permissions.errors import PermissionsError
from agent.permissions.paths import Located, Places, locate
from agent.permissions.rules import Rule, by_weight
from agent.tools.tool import Access
from store.frozen import frozen
from store.records import Verdict

Mode = Literal["ask", "accept-edits", "plan", "auto"]


@frozen
class Decision:
    """`place` is where a path really led when this was decided, `outside` the same beyond the root.

    `by_mode` says that only the auto mode allowed it.
    """

    verdict: Verdict
    reason: str
    rule: Rule | None = None
    outside: Path | None = None
    place: Path | None = None
    by_mode: bool = False


@frozen
class Policy:
    """`rules` come from every layer; `forced` is `--auto` given on this very command line.

    `no_auto` is why the auto mode does not hold in this workspace; it is treated as `ask` then.
    """

    places: Places
    rules: tuple[Rule, ...] = ()
    mode: Mode = "ask"
    sandboxed: bool = False
    forced_auto: bool = False
    no_auto: str = ""

    def decide(self, tool: str, access: Access, subject: str) -> Decision:
        if self.mode == "auto" and self.no_auto:
            decision = replace(self, mode="ask").decide(tool, access, subject)
            reason = f"{decision.reason}; {self.no_auto}" if decision.verdict == "ask" else decision.reason
            return replace(decision, reason=reason)
        concerned = tuple(rule for rule in self.rules if rule.concerns(tool, access))
        match access:
            case "shell":
                return self._shell(subject, concerned)
            case "read" | "edit":
                return self._path(access, subject, concerned)
            case "fetch":
                return self._fetch(subject, concerned)
            case "none":
                return _plain(subject, concerned)

    def _shell(self, command: str, rules: tuple[Rule, ...]) -> Decision:
        denying = [rule for rule in rules if rule.verdict == "deny"]
        refused = shell.refusal(command, denying, self.places)
        if refused is not None:
            return Decision("deny", refused.reason, refused.rule)
        rest = [rule for rule in rules if rule.verdict != "deny"]
        found = shell.judge(command, (*rest, *shell.READING), self.places)
        if self.mode == "plan" and not found.reading:
            return Decision("ask", f"plan mode: not known to change nothing ({found.reason})", found.rule)
        if found.verdict == "allow":
            return Decision("allow", found.reason, found.rule)
        asked = found.rule is not None
        if self.mode == "auto" and not asked and (self.sandboxed or self.forced_auto):
            if denying and not shell.understood(command):
                return Decision("ask", f"deny rules cannot be checked: {found.reason}")
            reason = "auto mode in the sandbox" if self.sandboxed else "auto mode was forced"
            return Decision("allow", reason, by_mode=True)
        return Decision("ask", found.reason, found.rule)

    def _path(self, access: Access, subject: str, rules: tuple[Rule, ...]) -> Decision:
        try:
            located = locate(self.places, subject)
        except PermissionsError as error:
            return Decision("deny", str(error))
        judge = self._read if access == "read" else self._edit
        outside = None if located.inside or located.readable else located.path
        return replace(judge(located, subject, rules), outside=outside, place=located.path)

    def _read(self, located: Located, subject: str, rules: tuple[Rule, ...]) -> Decision:
        ruled = _by_path(located, subject, self.places, rules)
        if ruled is not None:
            return ruled
        if located.internal:
            return Decision("ask", f"{subject} is inside .git or .wakeful")
        if _odd_name(subject):
            return Decision("ask", f"{subject!r} is an unusual name")
        if located.linked:
            return Decision("ask", f"{subject} has a further name, perhaps outside the workspace (hard link)")
        if located.secret:
            return Decision("ask", f"{located.secret} may hold secrets")
        if located.inside or located.readable:
            return Decision("allow", "reading inside the workspace")
        return Decision("ask", f"{located.path} is outside the workspace")

    def _edit(self, located: Located, subject: str, rules: tuple[Rule, ...]) -> Decision:
        if located.internal or located.readable:
            return Decision("deny", f"{subject} is never written by tools")
        ruled = _by_path(located, subject, self.places, rules)
        if ruled is not None and ruled.verdict == "deny":
            return ruled
        if self.mode == "plan":
            return Decision("deny", "plan mode changes nothing")
        if ruled is not None:
            return ruled
        doubt = "" if self.mode in ("accept-edits", "auto") else "no rule allows this edit"
        if not located.inside:
            doubt = f"{located.path} is outside the workspace"
        elif located.obeyed:
            doubt = f"other programs obey {located.obeyed}"
        elif located.secret and not located.linked:
            doubt = f"{located.secret} may hold secrets"
        elif _odd_name(subject):
            doubt = f"{subject!r} is an unusual name"
        return Decision("ask", doubt) if doubt else Decision("allow", f"{self.mode} mode in the workspace")

    def _fetch(self, url: str, rules: tuple[Rule, ...]) -> Decision:
        if not addresses.is_web(url):
            return Decision("deny", "only http and https are fetched")
        matching = [rule for rule in rules if addresses.matches(rule, url)]
        for rule in matching:
            if rule.verdict == "deny":
                return Decision("deny", f"denied by the rule '{rule}'", rule)
        caution = addresses.caution(url)
        if caution:
            return Decision("ask", caution)
        for rule in by_weight(matching):
            return Decision(rule.verdict, f"the rule '{rule}'", rule)
        if self.mode == "auto" and self.forced_auto:
            return Decision("allow", "auto mode was forced")
        return Decision("ask", "no rule allows this address")


def _plain(subject: str, rules: tuple[Rule, ...]) -> Decision:
    matching = [rule for rule in rules if rule.matches(subject)]
    denying = next((rule for rule in matching if rule.verdict == "deny"), None)
    chosen = denying or next(iter(by_weight(matching)), None)
    if chosen is None:
        return Decision("allow", "touches nothing that needs a permission")
    return Decision(chosen.verdict, f"the rule '{chosen}'", chosen)


def _by_path(located: Located, subject: str, places: Places, rules: tuple[Rule, ...]) -> Decision | None:
    lexical = Path(subject).as_posix()
    for rule in rules:
        if rule.verdict == "deny" and any(
            _covers(rule.pattern.casefold(), text.casefold(), places)
            for text in (located.relative, str(located.path), lexical)
        ):
            return Decision("deny", f"denied by the rule '{rule}'", rule)
    for rule in by_weight(rules):
        text = located.relative if located.inside else str(located.path)
        if rule.verdict == "deny" or not _covers(rule.pattern, text, places):
            continue
        if rule.verdict == "allow" and not rule.exact and _too_wide(rule, located, subject):
            continue
        return Decision(rule.verdict, f"the rule '{rule}'", rule)
    return None


def _too_wide(rule: Rule, located: Located, subject: str) -> bool:
    """A wildcard frees nothing outside, odd, secret or obeyed by others, unless it spells that out."""
    if located.internal or _odd_name(subject):
        return True
    spelled = rule.literal.casefold()
    secret = "" if located.linked else located.secret
    if any(name and name not in spelled for name in (located.obeyed, secret)):
        return True
    return not located.inside and not rule.literal.startswith(("/", "~/"))


def _covers(pattern: str, text: str, places: Places) -> bool:
    """`*` stays within a folder, `**` does not; a plain name with a star is looked for at any depth."""
    if pattern.startswith("~/"):
        pattern = f"{places.home}{pattern[1:]}"
    pattern = pattern.removeprefix("./")
    if pattern in ("*", "**"):
        return True
    if "*" in pattern and "/" not in pattern:
        text = text.rpartition("/")[2]
    return _path_expression(pattern).fullmatch(text) is not None


@lru_cache(maxsize=512)
def _path_expression(pattern: str) -> re.Pattern[str]:
    if "*" not in pattern:
        return re.compile(re.escape(pattern.rstrip("/")) + "(?:/.*)?", re.DOTALL)
    meanings = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*"}
    pieces = re.split(r"(\*\*/|\*\*|\*)", pattern)
    return re.compile("".join(meanings.get(piece, re.escape(piece)) for piece in pieces), re.DOTALL)


def _odd_name(subject: str) -> bool:
    parts = Path(subject).parts
    return not subject.isprintable() or ":" in subject or any(part != part.strip() for part in parts)
