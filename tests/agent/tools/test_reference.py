from pathlib import Path

from agent.tools.reference import write

PAGE = Path(__file__).parents[3] / "docs" / "tools.md"


def test_the_page_of_tools_is_up_to_date() -> None:
    assert PAGE.read_text() == write(), "run: python -m agent.tools.reference > docs/tools.md"
