"""The rows of the attack sample, as the texts they stand for."""

import base64
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Attack:
    id: str
    text: str
    reason: str


def attacks(*categories: str) -> list[Attack]:
    sample = json.loads((Path(__file__).parent / "data" / "attack-cases.json").read_text("utf-8"))
    return [
        Attack(case["id"], _text(case["input"]), case["reason"])
        for case in sample["cases"]
        if case["category"] in categories
    ]


def _text(value: str | dict[str, Any]) -> str:
    if isinstance(value, str):
        return value
    if "base64" in value:
        return base64.b64decode(value["base64"]).decode("utf-8", "surrogateescape")
    return value["prefix"] + value["repeat"] * value["times"] + value["suffix"]
