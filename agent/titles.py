"""Names a session after its first request, without asking any model."""

import re

_LONGEST = 60


def title_of(text: str) -> str:
    line = next((line.strip() for line in text.splitlines() if line.strip()), "")
    plain = re.sub(r"\s+", " ", re.sub(r"[`*_#>]+", "", line)).strip(" .")
    if len(plain) <= _LONGEST:
        return plain
    cut = plain[:_LONGEST].rsplit(" ", 1)[0]
    return f"{cut}…"
