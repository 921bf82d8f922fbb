from pathlib import Path

from agent.tools import registry
from agent.tools.schemas import write
from tests.test_architecture import loaded_after

FILE = Path(registry.__file__).with_name("schemas.json")


def test_the_kept_arguments_are_those_of_the_functions() -> None:
    wanted = "run: python -m agent.tools.schemas > new && mv new agent/tools/schemas.json"
    assert FILE.read_text(encoding="utf-8") == write(), wanted


def test_offering_tools_to_a_model_does_not_load_pydantic() -> None:
    loaded = loaded_after(
        "from agent.tools import registry\nfrom agent.todos.dialects.registry import tools\n"
        "[registry.spec(tool) for tool in (*registry.DEFAULTS, *tools('standard'))]"
    )

    assert "agent.tools.registry" in loaded
    assert "pydantic" not in loaded
