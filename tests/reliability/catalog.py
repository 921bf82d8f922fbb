"""All promises of this folder: the modules with a `NAME` and a `run(scale, seed)`."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Sequence
from types import ModuleType

import tests.reliability


def promises(names: Sequence[str]) -> list[ModuleType]:
    """Those of the given names, or all. Raise SystemExit for a name that there is not."""
    found = [
        importlib.import_module(f"tests.reliability.{info.name}")
        for info in pkgutil.iter_modules(tests.reliability.__path__)
        if not info.name.startswith("_")
    ]
    known = {command_of(module): module for module in found if hasattr(module, "NAME")}
    unknown = [name for name in names if name not in known]
    if unknown:
        raise SystemExit(f"no promise named {', '.join(unknown)}; there are: {', '.join(known)}")
    return [module for name, module in known.items() if not names or name in names]


def command_of(module: ModuleType) -> str:
    return module.__name__.rsplit(".", 1)[1]
