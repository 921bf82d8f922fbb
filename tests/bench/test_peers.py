from __future__ import annotations

from bench.peers import peer


def test_a_peer_that_ends_at_once_says_with_what_status_and_why() -> None:
    complaint = r"printf 'begun\n\033[31mno key\033[0m given\r\n\n'; exit 3"

    found = peer("peer", ["/bin/sh", "-c", complaint])

    assert (found.milliseconds, found.note) == (None, "ended with status 3: no key given")


def test_a_peer_that_a_signal_ended_names_it() -> None:
    assert peer("peer", ["/bin/sh", "-c", "kill -9 $$"]).note == "ended by SIGKILL"
