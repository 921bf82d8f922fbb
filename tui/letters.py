"""Which letters and signs a terminal shows, as its variables tell; loads nothing, being asked so early."""


def is_plain_locale(locale: str) -> bool:
    """One that says nothing is believed to know all letters: ssh seldom passes it on."""
    _, dot, letters = locale.partition("@")[0].partition(".")
    return locale in ("C", "POSIX") or (bool(dot) and not is_utf8(letters))


def is_utf8(encoding: str) -> bool:
    return encoding.lower().replace("-", "") == "utf8"


def is_plain_terminal(name: str) -> bool:
    """A console whose font has letters, but none of the signs that we draw with."""
    return name == "linux" or name.startswith("vt")
