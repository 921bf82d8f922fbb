"""What a door asks for, light enough to be written down before the core is loaded."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from agent.paths import Paths
from store.frozen import frozen

if TYPE_CHECKING:
    from agent.models.protocol import Model


@frozen
class Opening:
    """What a door asks for. `resume` is a session's id, or its beginning; `model` may be a ready one.

    With `prefer_stored` a session that is continued keeps its own model and agent, whatever is named here.
    `modelless` is for commands that ask no model: a missing key is no error, and the session keeps its model.
    """

    paths: Paths
    environment: Mapping[str, str]
    root: Path
    assignments: tuple[str, ...] = ()
    attended: bool = True
    proceed: Literal["new", "newest"] = "new"
    resume: str | None = None
    model_name: str | None = None
    model: Model | None = None
    agent: str | None = None
    prefer_stored: bool = False
    modelless: bool = False
    auto: bool = False
    allow: tuple[str, ...] = ()
    max_steps: int | None = None
    max_cost: float | None = None
    max_wakes: int | None = None
