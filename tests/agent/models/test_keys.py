"""Keys: where they come from and where they must not go."""

from pathlib import Path

import pytest

from agent.models import keys

CANARY = "sk-canary-0123456789"


def test_a_stored_key_is_read_back_and_can_be_replaced_and_removed(tmp_path: Path):
    path = tmp_path / "new" / "keys.toml"
    keys.store(path, "openai", f" {CANARY}\n")
    keys.store(path, "my.own-server", 'odd"\\key')
    both = keys.read(path)
    keys.store(path, "openai", None)

    assert both == {"openai": CANARY, "my.own-server": 'odd"\\key'}
    assert keys.read(path) == {"my.own-server": 'odd"\\key'}


def test_only_the_owner_can_read_the_file_even_when_it_was_open_before(tmp_path: Path):
    path = tmp_path / "new" / "keys.toml"
    path.parent.mkdir()
    path.write_text("")
    path.chmod(0o644)

    keys.store(path, "openai", CANARY)

    assert path.stat().st_mode & 0o777 == 0o600
    assert [file.name for file in path.parent.iterdir()] == ["keys.toml"]


@pytest.mark.parametrize("key", ["", "   ", "two words", "ключ", "a\x00b"])
def test_what_cannot_be_a_key_is_refused_and_nothing_is_written(tmp_path: Path, key: str):
    with pytest.raises(keys.KeyFileError):
        keys.store(tmp_path / "keys.toml", "openai", key)

    assert not (tmp_path / "keys.toml").exists()


def test_a_damaged_file_is_named_without_a_word_of_what_is_in_it(tmp_path: Path):
    path = tmp_path / "keys.toml"
    path.write_text(f"openai = {CANARY}")

    with pytest.raises(keys.KeyFileError) as caught:
        keys.read(path)

    assert str(path) in str(caught.value)
    assert CANARY not in repr(caught.value)
    assert caught.value.__cause__ is None


def test_no_file_means_no_keys(tmp_path: Path):
    assert keys.read(tmp_path / "keys.toml") == {}


def test_the_environment_wins_over_the_file_and_a_named_variable_over_the_usual_one():
    environment = {"OPENAI_API_KEY": "usual", "MINE": "named", "GROQ_API_KEY": "  "}
    stored = {"openai": "file", "groq": "file"}

    assert keys.find("openai", environment, stored) == "usual"
    assert keys.find("openai", environment, stored, "MINE") == "named"
    assert keys.find("groq", environment, stored) == "file"
    assert keys.find("xai", environment, stored) is None


def test_every_variable_that_may_hold_a_provider_key_is_secret():
    known = {"OPENAI_API_KEY", "ANTHROPIC_API_KEY", "XAI_API_KEY", "HF_TOKEN"}
    own = {"CORP_TOKEN", "CORP_API_KEY", "SECRET_X"}

    secret = keys.secret_variables({"corp": None, "other": "SECRET_X"})

    assert known | own <= secret
    assert not {"PATH", "GITHUB_TOKEN", "STRIPE_API_KEY", "OPENAI_BASE_URL"} & secret
