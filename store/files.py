"""Names of the files that stand beside the database."""

from pathlib import Path


def sibling(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)
