"""What leaves Wakeful leaves without the keys it was made with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar, cast

from agent.archive.records import Archive
from agent.config.models import Config
from agent.models import keys
from agent.paths import Paths
from agent.secrets import Redactor
from store.records import Part

T = TypeVar("T")


def redactor(config: Config, environment: Mapping[str, str], paths: Paths) -> Redactor:
    """Knows the keys in the environment, under whatever name, and those in the key file."""
    variables = {name: provider.key_env for name, provider in config.providers.items()}
    named = (environment.get(name, "") for name in keys.secret_variables(variables))
    return Redactor(environment, (*named, *keys.read(paths.keys).values()))


def redacted(archive: Archive, redact: Redactor) -> Archive:
    return _clean(archive, redact)


def _clean(value: T, redact: Redactor) -> T:
    """The same value with every text in it cleaned."""
    if isinstance(value, str):
        return cast("T", redact(value))
    if isinstance(value, tuple):
        return cast("T", tuple(_clean(each, redact) for each in cast("tuple[object, ...]", value)))
    if isinstance(value, Part) and value.kind == "file":
        # A picture in base64 holds every shape by chance, and no text.
        return value
    if not is_dataclass(value) or isinstance(value, type):
        return value
    cleaned: dict[str, Any] = {
        field.name: _clean(getattr(value, field.name), redact) for field in fields(value)
    }
    return cast("T", replace(cast("Any", value), **cleaned))
