from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from agent.permissions.paths import Places
from agent.permissions.policy import Mode, Policy
from agent.permissions.rules import parse_rules


def read(places: Places, path: str, *rules: str) -> str:
    return Policy(places, parse_rules(rules)).decide("read", "read", path).verdict


def edit(places: Places, path: str, *rules: str, mode: Mode = "ask", forced_auto: bool = False) -> str:
    policy = Policy(places, parse_rules(rules), mode, forced_auto=forced_auto)
    return policy.decide("write", "edit", path).verdict


def test_reading_inside_passes_and_editing_is_asked(places: Places) -> None:
    assert read(places, "src/a.py") == "allow"
    assert read(places, str(places.root / "src")) == "allow"
    assert edit(places, "src/a.py") == "ask"


@pytest.mark.parametrize(
    "path", ["../secret.txt", "link", "out/secret.txt", "/etc/passwd", "src/../../secret.txt"]
)
def test_what_leads_outside_is_asked_whatever_wide_rules_say(places: Places, path: str) -> None:
    assert read(places, path, "read **", "read *") == "ask"
    assert edit(places, path, "edit **", "edit *", mode="auto") == "ask"


def test_a_rule_that_names_an_outside_place_opens_it(places: Places, tmp_path: Path) -> None:
    assert read(places, "../secret.txt", f"read {tmp_path}/*") == "allow"
    assert read(places, "link", f"read {tmp_path}/secret.txt") == "allow"
    assert read(places, f"{tmp_path}/home/x", "read ~/*") == "allow"


@pytest.mark.parametrize(
    "path",
    [
        ".git", ".git/config", ".GIT/config", ".git/hooks/pre-commit", "sub/.git/x",
        ".wakeful/config.toml", ".git./x",
        ".g\u200cit/config", "GIT~1/config", ".git /config", ".git:x", "src/../.git/config",
        "~/.config/wakeful/keys.toml",
        "../home/.config/wakeful/keys.toml", "out/home/.config/wakeful/x", "", "a\0b", "$HOME/x",
        "/proc/self/environ",
        "/proc/self/cwd/src/a.py", "/dev/sda", "/dev/shm/../mem", "\\\\host\\share", "\ud800",
        "../home/.local/state/wakeful/outputs/1",
    ],
)  # fmt: skip
def test_our_own_places_and_git_are_never_written(places: Places, path: str) -> None:
    assert edit(places, path, f"edit {path or 'x'}", "edit **", mode="auto", forced_auto=True) == "deny"


def test_our_own_places_are_not_even_read_but_outputs_are(places: Places) -> None:
    assert read(places, "../home/.config/wakeful/keys.toml", "read **") == "deny"
    assert read(places, "../home/.local/state/wakeful/log") == "deny"
    assert read(places, "../home/.local/state/wakeful/outputs/1.txt") == "allow"


def test_a_link_made_to_our_own_places_is_seen_through(places: Places) -> None:
    (places.root / "mine").symlink_to(places.private[0])

    assert read(places, "mine/keys.toml") == "deny"
    assert edit(places, "mine/new.toml", mode="auto") == "deny"


@pytest.mark.parametrize("path", ["x" * 256, "x/" * 1500, "\u0130" * 200])
def test_a_path_no_file_system_can_hold_is_denied(places: Places, path: str) -> None:
    assert read(places, path) == "deny"


@pytest.mark.parametrize(
    "path", ["Makefile", ".vscode/settings.json", "AGENTS.md", ".envrc", "sub/.github/x", "a:b", "d /x"]
)
def test_what_other_programs_obey_is_asked_unless_spelled_out(places: Places, path: str) -> None:
    assert edit(places, path, "edit **", mode="accept-edits") == "ask"
    assert edit(places, path, f"edit {path}") == "allow"


@pytest.mark.parametrize("path", [".zshenv", "lib/x.pth", "conftest.py", ".gitlab-ci.yml", "CLAUDE.md"])
@pytest.mark.parametrize("mode", ["accept-edits", "auto"])
def test_no_mode_edits_unasked_what_other_programs_obey(places: Places, path: str, mode: Mode) -> None:
    assert edit(places, path, mode=mode, forced_auto=True) == "ask"


def test_a_folder_of_commands_inside_the_workspace_is_obeyed(places: Places) -> None:
    with_programs = replace(places, programs=(places.root / "tools",))

    assert edit(places, "tools/git", mode="auto") == "allow"
    assert edit(with_programs, "tools/git", mode="auto") == "ask"


@pytest.mark.parametrize("path", [".env", "deploy/prod.env", "key.pem", "sub/.env.local", ".ssh/id_rsa"])
def test_a_secret_is_asked_unless_spelled_out(places: Places, path: str) -> None:
    assert read(places, path) == "ask"
    assert read(places, path, "read **", "read *") == "ask"
    assert edit(places, path, mode="accept-edits") == "ask"
    assert read(places, path, f"read {path}") == "allow"


def test_a_file_with_a_further_name_is_asked(places: Places, tmp_path: Path) -> None:
    (places.root / "notes.txt").hardlink_to(tmp_path / "secret.txt")

    assert read(places, "notes.txt") == "ask"
    assert read(places, "notes.txt", "read *.txt") == "allow"
    assert edit(places, "notes.txt", mode="accept-edits") == "allow"


def test_files_that_package_managers_link_are_read(places: Places, tmp_path: Path) -> None:
    (places.root / "node_modules").mkdir()
    (places.root / "node_modules" / "a.js").hardlink_to(tmp_path / "secret.txt")

    assert read(places, "node_modules/a.js") == "allow"


def test_a_further_name_of_our_own_file_is_denied(places: Places) -> None:
    (places.root / "node_modules").mkdir()
    for name in ("notes.txt", "node_modules/notes.txt"):
        (places.root / name).hardlink_to(places.private[0] / "keys.toml")

        assert read(places, name, f"read {name}") == "deny"
        assert Policy(places).decide("shell", "shell", f"cat {name}").verdict != "allow"


def test_a_link_to_a_secret_is_seen_through(places: Places) -> None:
    (places.root / ".env").write_text("KEY=1\n")
    (places.root / "notes.txt").symlink_to(".env")

    assert read(places, "notes.txt") == "ask"


@pytest.mark.parametrize(
    ("mode", "expected"), [("ask", "ask"), ("accept-edits", "allow"), ("auto", "allow"), ("plan", "deny")]
)
def test_modes_decide_about_edits_inside(places: Places, mode: Mode, expected: str) -> None:
    assert edit(places, "src/new.py", mode=mode) == expected


def test_plan_mode_ignores_allowing_rules_for_edits(places: Places) -> None:
    assert edit(places, "src/a.py", "edit src/**", mode="plan") == "deny"


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("src/**", "src/a.py", "allow"),
        ("src/**", "src/deep/er/a.py", "allow"),
        ("src/*", "src/deep/a.py", "ask"),
        ("src", "src/a.py", "allow"),
        ("src", "srcs/a.py", "ask"),
        ("*.py", "src/a.py", "allow"),
        ("**/*.py", "a.py", "allow"),
        ("./src/**", "src/a.py", "allow"),
        ("src/**", "out/ws/src/a.py", "allow"),
    ],
)
def test_path_patterns_are_matched_on_the_real_path(
    places: Places, pattern: str, path: str, expected: str
) -> None:
    assert edit(places, path, f"edit {pattern}") == expected


@pytest.mark.parametrize(
    "path", ["src/a.py", "SRC/A.PY", "src/../src/a.py", "out/ws/src/a.py", "./src//a.py"]
)
def test_a_denied_path_is_denied_in_every_spelling(places: Places, path: str) -> None:
    assert edit(places, path, "deny edit src/**", "edit **", "edit src/a.py", mode="auto") == "deny"


def test_odd_files_are_denied(places: Places) -> None:
    import os

    os.mkfifo(places.root / "pipe")
    (places.root / "loop").symlink_to("loop")

    assert read(places, "pipe") == "deny"
    assert read(places, "loop") == "deny"
    assert edit(places, "pipe", "edit pipe") == "deny"


@pytest.mark.parametrize(
    ("url", "rules", "expected"),
    [
        ("https://docs.python.org/3/", (), "ask"),
        ("https://docs.python.org/3/", ("fetch https://docs.python.org/*",), "allow"),
        ("https://docs.python.org", ("fetch https://docs.python.org*",), "allow"),
        ("https://docs.python.org.evil.net/", ("fetch https://docs.python.org*",), "ask"),
        ("https://docs.python.org@evil.net/", ("fetch https://docs.python.org*", "fetch *"), "ask"),
        ("https://a.example.org/x", ("fetch https://*.example.org/*",), "allow"),
        ("https://aexample.org/x", ("fetch https://*.example.org/*",), "ask"),
        ("https://docs.python.org/3/", ("fetch *", "deny fetch https://docs.python.org/*"), "deny"),
        ("file:///etc/passwd", ("fetch *",), "deny"),
        ("ftp://example.org/", ("fetch *",), "deny"),
    ],
)
def test_an_address_needs_a_rule_for_its_whole_host(
    places: Places, url: str, rules: tuple[str, ...], expected: str
) -> None:
    assert Policy(places, parse_rules(rules)).decide("fetch", "fetch", url).verdict == expected


@pytest.mark.parametrize(
    "host",
    [
        "localhost", "127.0.0.1", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "[::1]",
        "[::ffff:127.0.0.1]",
        "[64:ff9b::7f00:1]", "[::127.0.0.1]", "10.0.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1",
        "[fd00::1]",
        "[fe80::1]", "0.0.0.0", "printer", "nas.local", "x.localhost", "metadata.google.internal",
        "LOCALHOST.", "224.0.0.1", "[64:ff9b::a00:1]", "[64:ff9b::a9fe:a9fe]", "[64:ff9b:1::808:808]",
        "[2002:7f00:1::]", "[2002:c0a8:101::1]", "[2001:0:4136:e378:8000:63bf:3fff:fdd2]", "[::10.0.0.1]",
        "[2606:4700::5efe:10.0.0.1]", "[2606:4700::200:5efe:192.168.1.1]", "[ff0e::1]", "[4000::1]", "[::]",
        "[fec0::1]", "[2001:db8::1]", "[3fff::1]", "[5f00::1]", "192.0.0.8", "192.88.99.1", "240.0.0.1",
        "255.255.255.255", "198.18.0.1", "192.0.2.1",
    ],
)  # fmt: skip
def test_a_private_address_is_asked_in_every_mode_and_spelling(places: Places, host: str) -> None:
    policy = Policy(places, parse_rules(["fetch *"]), "auto", sandboxed=True, forced_auto=True)

    assert policy.decide("fetch", "fetch", f"http://{host}/x").verdict == "ask"


@pytest.mark.parametrize(
    "host",
    ["93.184.215.14", "[2606:4700::1111]", "[64:ff9b::808:808]", "[::ffff:8.8.8.8]", "[2002:808:808::1]"],
)
def test_a_public_address_stays_public_however_it_is_carried(places: Places, host: str) -> None:
    policy = Policy(places, parse_rules(["fetch *"]))

    assert policy.decide("fetch", "fetch", f"http://{host}/x").verdict == "allow"
