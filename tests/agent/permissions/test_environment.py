import os

from agent.permissions.environment import for_commands


def test_commands_get_neither_secrets_nor_what_changes_their_meaning() -> None:
    changing = ("BASH_ENV", "ENV", "CDPATH", "GLOBIGNORE", "SHELLOPTS", "BASH_FUNC_ls%%")
    steering = ("GIT_CONFIG_COUNT", "GIT_DIR", "GIT_EXTERNAL_DIFF")
    given = {
        "HOME": "/h",
        "LD_LIBRARY_PATH": "/cuda",
        "MY_KEY": "k",
        **dict.fromkeys((*changing, *steering), "x"),
    }

    seen = for_commands(given | {"PATH": ".:/bin::bin:/usr/bin"}, {"MY_KEY"})

    assert seen == {"HOME": "/h", "LD_LIBRARY_PATH": "/cuda", "PATH": "/bin:/usr/bin"}


def test_a_path_of_relative_entries_alone_does_not_become_an_empty_one() -> None:
    assert for_commands({"PATH": ".:"}, ()) == {"PATH": os.defpath}
