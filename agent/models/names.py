"""The shape of a model's name. Some providers of litellm take the address to call from a name."""

from __future__ import annotations

import re

# No part is empty, begins with a dot or ends in a colon: no `://`, no `//HOST`, no `..`, no `http:`.
_PART = r"[A-Za-z0-9_@](?:[A-Za-z0-9_.@:+-]*[A-Za-z0-9_])?"
# Servers on one's own machine name a model by its file: `vllm//models/a`.
PATTERN = rf"{_PART}(?://?{_PART}(?:/{_PART})*)?"
LONGEST = 256
EXPECTATION = "PROVIDER/NAME of letters, digits and _ . : @ + -, without an address"


def is_name(text: str) -> bool:
    return len(text) <= LONGEST and re.fullmatch(PATTERN, text) is not None
