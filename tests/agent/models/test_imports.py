"""What loading the model layer must not cost."""

import subprocess
import sys
from pathlib import Path

import agent.models.host

SLOW = ("litellm", "httpx", "pydantic", "aiohttp", "openai")


def test_choosing_a_model_loads_nothing_slow():
    names = "catalog, choose, direct, hosted, keys, local, retry, scripted, spoken"
    code = f"import sys; from agent.models import {names}; print([x for x in {SLOW} if x in sys.modules])"

    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert shown.stdout.strip() == "[]"


def test_litellm_is_imported_by_the_host_alone():
    root = Path(agent.models.host.__file__).parents[2]
    sources = [path for package in ("agent", "store", "tui") for path in (root / package).rglob("*.py")]

    importing = [path.name for path in sources if "import litellm" in path.read_text("utf-8")]

    assert importing == ["host.py"]
