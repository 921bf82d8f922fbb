"""What models cost and how much they can hold, read as data from the table litellm ships, without litellm."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol

from agent.models.loose import as_count, as_dict, parse
from store.frozen import frozen
from store.records import Usage

TABLE = "model_prices_and_context_window_backup.json"
SAFE_CONTEXT = 32_000
SAFE_OUTPUT = 4_096
SELF_HOSTED = (
    "ollama",
    "ollama_chat",
    "lm_studio",
    "vllm",
    "hosted_vllm",
    "llamacpp",
    "llamafile",
    "offline",
)


# Somebody's own, or made for something else than words.
_SPECIAL = re.compile(r"ft:|audio")
_DATE = re.compile(r"-(?:\d{4}-\d\d-\d\d|\d{8}|\d{4})$")


class Rows(Protocol):
    """A table of models, as far as a look-up needs it."""

    def get(self, key: str, /) -> object: ...


@frozen
class Prices:
    """Money for one token of each kind, in dollars."""

    input: float
    output: float
    cache_read: float
    cache_write: float


@frozen
class Entry:
    """What is known of a model. `prices` is None when nobody knows; `note` says what was assumed.

    `tiers` are dearer prices for prompts beyond so many tokens, largest first. `pictures` is False for one
    that is known to read text alone: it would refuse every request with a picture in it.
    """

    name: str
    context: int
    max_output: int
    prices: Prices | None
    tiers: tuple[tuple[int, Prices], ...] = ()
    note: str = ""
    pictures: bool = True

    def cost(self, usage: Usage) -> float | None:
        if self.prices is None:
            return None
        sent = usage.input + usage.cache_read + usage.cache_write
        prices = next((dearer for beyond, dearer in self.tiers if sent > beyond), self.prices)
        return (
            usage.input * prices.input
            + usage.output * prices.output
            + usage.cache_read * prices.cache_read
            + usage.cache_write * prices.cache_write
        )


def look_up(
    name: str,
    *,
    context: int | None = None,
    max_output: int | None = None,
    table: Rows | None = None,
) -> Entry:
    """What is known of `provider/model`; what the user configured wins over the table."""
    row = _row(name, _Shipped() if table is None else table)
    known_output = as_count(row.get("max_output_tokens")) or as_count(row.get("max_tokens"))
    known_context = as_count(row.get("max_input_tokens")) or as_count(row.get("max_tokens"))
    room = context or known_context or SAFE_CONTEXT
    prices = _prices(row)
    if prices is None and name.partition("/")[0] in SELF_HOSTED:
        prices = Prices(0, 0, 0, 0)
    return Entry(
        name=name,
        context=room,
        max_output=min(room, max_output or known_output or SAFE_OUTPUT),
        prices=prices,
        tiers=_tiers(row),
        note=_note(name, context or known_context, prices),
        pictures=not row or row.get("supports_vision") is True,
    )


def is_unknown(name: str) -> bool:
    """Never so where there is no table to look into."""
    return bool(_text()) and not _row(name, _Shipped())


@cache
def names(provider: str) -> tuple[str, ...]:
    """The models of one provider that can work here, as PROVIDER/NAME; of a dated one only the latest."""
    rows = ((name, as_dict(row)) for name, row in load().items())
    able = {
        name if name.startswith(f"{provider}/") else f"{provider}/{name}"
        for name, row in rows
        if (row.get("litellm_provider"), row.get("mode")) == (provider, "chat")
        and row.get("supports_function_calling") is True
        and not _SPECIAL.search(name)
    }
    latest = (name for name in able if name == (lasting := _DATE.sub("", name)) or lasting not in able)
    return tuple(sorted(latest))


@cache
def providers() -> frozenset[str]:
    """Every provider that the table has a model of."""
    rows = (as_dict(row).get("litellm_provider") for row in load().values())
    return frozenset(name for name in rows if isinstance(name, str))


def load() -> Mapping[str, object]:
    """The whole table, or an empty one when litellm is not there."""
    try:
        return as_dict(parse(_text()))
    except ValueError:
        return {}


class _Shipped:
    """The same one row at a time: as objects the whole takes 10 MB and 60 ms."""

    def get(self, key: str, /) -> object:
        return _shipped_row(key)


@cache
def _shipped_row(name: str) -> object:
    text = _text()
    if not text.startswith(b'{\n    "'):
        return load().get(name)
    _, found, rest = text.partition(b"\n    " + json.dumps(name).encode() + b": {")
    row, _, _ = rest.partition(b"\n    }")
    try:
        return parse(b"{" + row + b"}") if found else None
    except ValueError:
        return load().get(name)


def _text() -> bytes:
    """Finding a package does not run it."""
    spec = find_spec("litellm")
    if spec is None or spec.origin is None:
        return b""
    try:
        return Path(spec.origin).with_name(TABLE).read_bytes()
    except OSError:
        return b""


def _row(name: str, table: Rows) -> dict[str, object]:
    """The table names some models with their provider and some without."""
    provider, _, bare = name.partition("/")
    row = as_dict(table.get(name))
    if row or not bare:
        return row
    found = as_dict(table.get(bare))
    served_by = str(found.get("litellm_provider", ""))
    # The same name at another provider may cost something else, except that OpenRouter passes prices on.
    if served_by.startswith(provider):
        return found
    return _row(bare, table) if provider == "openrouter" else {}


def _prices(row: Mapping[str, object], suffix: str = "") -> Prices | None:
    sent, received = (_price(row, f"{kind}_cost_per_token{suffix}") for kind in ("input", "output"))
    if sent is None or received is None:
        return None
    read = _price(row, f"cache_read_input_token_cost{suffix}")
    written = _price(row, f"cache_creation_input_token_cost{suffix}")
    return Prices(sent, received, sent if read is None else read, sent if written is None else written)


def _price(row: Mapping[str, object], field: str) -> float | None:
    value = row.get(field)
    return float(value) if isinstance(value, int | float) and value >= 0 else None


def _tiers(row: Mapping[str, object]) -> tuple[tuple[int, Prices], ...]:
    found = (re.fullmatch(r"input_cost_per_token(_above_(\d+)k_tokens)", field) for field in row)
    tiers = [(int(match[2]) * 1000, _prices(row, match[1])) for match in found if match]
    return tuple(
        sorted(((at, prices) for at, prices in tiers if prices), reverse=True, key=lambda tier: tier[0])
    )


def _note(name: str, context: int | None, prices: Prices | None) -> str:
    unknown = [
        *([] if context else [f"its context, taken as {SAFE_CONTEXT} tokens until model.context is set"]),
        *([] if prices else ["its price, so that a budget can only count tokens"]),
    ]
    return f"not known of {name}: " + " and ".join(unknown) if unknown else ""
