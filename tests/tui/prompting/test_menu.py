from agent.commands.registry import Completion
from tui.prompting.menu import Menu, menu_for

NAMES = [
    Completion("/todos", "/todos [FILTER]", names=True),
    Completion("/todo", "/todo [VERB]", names=True, ready=False),
]


def test_the_likeliest_command_is_chosen_from_the_start():
    menu = menu_for("/to", NAMES)

    assert menu is not None
    assert menu.offer == NAMES[0]


def test_a_name_that_is_there_in_full_is_the_chosen_one():
    menu = menu_for("/todo", NAMES)

    assert menu is not None
    assert menu.offer == NAMES[1]


def test_nothing_is_chosen_for_an_argument_until_the_user_does():
    menu = menu_for("/export no", [Completion("notes/old.md", "notes/old.md", start=8)])

    assert menu is not None
    assert menu.offer is None
    assert menu.stepped(1).chosen == 0


def test_a_file_is_chosen_from_the_start():
    menu = menu_for("see @ma", [Completion("main.py", "main.py", start=5)])

    assert menu is not None
    assert menu.completed(menu.offers[0]) == "see @main.py "


def test_there_is_no_menu_for_what_is_complete():
    assert menu_for("see @main.py", [Completion("main.py", "main.py", start=5)]) is None
    assert menu_for("/zzz", []) is None


def test_one_goes_round_in_it():
    menu = Menu("/", tuple(NAMES))

    assert menu.stepped(-1).chosen == 1
    assert menu.stepped(-1).stepped(1).chosen == 0


def test_a_folder_is_left_open_behind_its_slash():
    menu = Menu("/export do", (Completion("docs/", "docs/", start=8),))

    assert menu.completed(menu.offers[0]) == "/export docs/"
