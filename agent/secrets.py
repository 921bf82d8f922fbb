"""Takes what is secret out of text that leaves the database or goes into the log."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

REDACTED = "[redacted]"

_NAME = re.compile(r"(KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)S?$", re.IGNORECASE)
_SHAPE = re.compile(
    r"\b(?:sk|pk|rk|ghp|gho|ghs|glpat|xox[abp]|hf|AKIA|AIza)[-_A-Za-z0-9]{16,}"
    r"|(?<=://)[^/\s:@]+:[^/\s@]+(?=@)"
    r"|(?i:(?<=bearer )|(?<=basic ))[-._~+/A-Za-z0-9]{8,}=*"
    r"|\bgithub_pat_\w{20,}"
    r"|\beyJ[-\w]{10,}\.eyJ[-\w]{10,}\.[-\w]{10,}"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----"
)
# `api_key = "…"`, with a value that nobody would write as a word: letters and digits, at least 16.
_ASSIGNED = re.compile(
    r"(?i:((?:key|token|secret|passw(?:or)?d|credentials?)[\"']?\s*[:=]\s*[\"']?))"
    r"(?=[-_+/=A-Za-z]*\d)(?=[-_+/=\d]*[A-Za-z])[-_+/=A-Za-z0-9]{16,}"
)
# Shorter values are words such as "none" that would eat harmless text.
SHORTEST = 8


class Redactor:
    """Replaces the values of variables named like secrets, `more` secrets, and what is shaped like one."""

    def __init__(self, environment: Mapping[str, str], more: Iterable[str] = ()) -> None:
        named = (value for name, value in environment.items() if _NAME.search(name))
        known = {value for value in (*named, *more) if len(value) >= SHORTEST}
        # Longest first, so that a secret inside another leaves no rest behind.
        ordered = sorted(known, key=len, reverse=True)
        self._known = re.compile("|".join(map(re.escape, ordered))) if ordered else None

    def __call__(self, text: str) -> str:
        if self._known is not None:
            text = self._known.sub(REDACTED, text)
        return _ASSIGNED.sub(rf"\1{REDACTED}", _SHAPE.sub(REDACTED, text))
