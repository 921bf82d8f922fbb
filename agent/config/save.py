"""Writes one setting into the user's file, checked first, so that a bad value never gets there."""

from __future__ import annotations

import os
import tempfile
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import cast

from agent.config.edit import Value, drop_value, set_value
from agent.config.errors import ConfigError, Problem
from agent.config.layers import Entry, parse_value, read_file, unknown_key
from agent.config.load import shorten, validate
from agent.config.settings import find_setting
from agent.paths import Paths, make_private_folder


def save(paths: Paths, environment: Mapping[str, str], path: tuple[str, ...], raw: str) -> None:
    """Raises `ConfigError`, or `EditError` when the file has no legal place for the key."""
    if find_setting(path) is None:
        raise ConfigError([Problem("config set", unknown_key(path))])
    value = validate(Entry(path, parse_value(raw), "config set", raw))
    text = _read(paths.config, shorten(paths.config, environment))
    _write_privately(paths.config, set_value(text, path, _as_toml(value)))


def forget(paths: Paths, environment: Mapping[str, str], path: tuple[str, ...]) -> bool:
    """False where the file says nothing of it. Raises as `save` does."""
    text = _read(paths.config, shorten(paths.config, environment))
    left = drop_value(text, path)
    if left == text:
        return False
    _write_privately(paths.config, left)
    return True


def _read(file: Path, shown: str) -> str:
    """Only what makes the file unreadable stands in the way: other mistakes may be mended one by one."""
    try:
        text = file.read_bytes().decode("utf-8-sig")
        tomllib.loads(text)
    except FileNotFoundError:
        return ""
    except ValueError as error:
        raise ConfigError(read_file(file, shown).problems) from error
    return text


def _as_toml(value: object) -> Value:
    if value is None:
        return "none"
    return list(cast("tuple[Value, ...]", value)) if isinstance(value, tuple) else cast("Value", value)


def _write_privately(file: Path, text: str) -> None:
    # Dotfiles are often links into a repository; the link must stay one.
    target = file.resolve()
    make_private_folder(target.parent)
    descriptor, temporary = tempfile.mkstemp(dir=target.parent, prefix=".config-")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as stream:
            if target.exists():
                os.fchmod(descriptor, target.stat().st_mode & 0o777)
            stream.write(text)
            stream.flush()
            os.fsync(descriptor)
        Path(temporary).replace(target)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
