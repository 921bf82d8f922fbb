from __future__ import annotations

import pytest

from agent.config.settings import find_setting


@pytest.mark.parametrize(
    ("path", "variable"),
    [
        (("wake", "max_cycles"), "WAKEFUL_WAKE_MAX_CYCLES"),
        (("providers", "box", "base_url"), "WAKEFUL_PROVIDERS_BOX_BASE_URL"),
        (("providers", "my_box", "base_url"), "WAKEFUL_PROVIDERS_MY_BOX_BASE_URL"),
        (("providers", "my-box", "base_url"), None),
        (("providers", "Box", "base_url"), None),
        (("keys", "plan"), None),
    ],
)
def test_a_variable_has_the_name_in_it_that_it_is_for(path: tuple[str, ...], variable: str | None) -> None:
    setting = find_setting(path)

    assert setting
    assert setting.variable_of(path) == variable
