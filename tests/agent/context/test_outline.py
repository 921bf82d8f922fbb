from agent.context.outline import outline
from agent.context.pages import page
from tests.agent.context.histories import call, file, message, replied, said, text


def test_an_outline_holds_what_was_asked_done_and_said_last():
    history = [said("mend the login"), replied("on it", call(tool="shell", arguments='{"command": "ls"}'))]

    told = outline([*history, said("and the tests"), replied("both are done")], 500)

    assert "- mend the login\n- and the tests" in told
    assert "- shell command=ls" in told
    assert told.endswith("both are done")


def test_a_file_that_came_with_a_request_is_named():
    asked = message("user", text("what is wrong here?"), file(name="shot.png"))

    assert "- what is wrong here? [with shot.png]" in outline([asked], 500)


def test_an_outline_of_an_outline_says_once_what_it_is():
    first = page("summary").format(summary=outline([said("mend the login"), replied("on it")], 500))

    again = outline([message("user", text(first), origin="summary"), said("and the tests")], 500)

    assert again.count(page("outline")) == 1
    assert "stands for the messages before it" not in again
    assert again.index("- mend the login") < again.index("- and the tests")
