from tests.test_architecture import loaded_after

LOAD = "from agent.http import load_httpx\nload_httpx()\n"


def test_httpx_comes_without_its_command_line_and_http_2() -> None:
    loaded = loaded_after(LOAD + "import httpx\nhttpx.AsyncClient(verify=False)")

    assert "httpx" in loaded
    assert not {"click", "rich", "pygments", "h2", "httpx._main"} & loaded


def test_what_was_left_out_can_still_be_imported_by_others() -> None:
    loaded = loaded_after(LOAD + "import h2.connection")

    assert "h2.connection" in loaded
