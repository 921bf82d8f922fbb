"""Which web addresses lead to this machine or its neighbours, however they are spelled."""

from __future__ import annotations

import re
import socket
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, urlsplit

from agent.permissions.rules import Rule

if TYPE_CHECKING:
    from ipaddress import IPv4Address, IPv6Address

# IPv6 networks whose addresses carry one of the old kind.
_CARRIERS = ("64:ff9b::/96", "::/96")


def caution(url: str) -> str:
    """Why this address needs a person's yes whatever the rules say; empty when it is an ordinary one."""
    parts = _split(url)
    if parts is None or not parts.hostname:
        return "an address that cannot be read"
    if parts.username is not None or parts.password is not None:
        return "an address with a name or password in it"
    if not url.isascii() or not url.isprintable() or " " in url or "\\" in url:
        return "an address with unusual characters"
    host = parts.hostname.rstrip(".")
    if is_private(host):
        return f"{host} is a private address"
    return ""


def is_web(url: str) -> bool:
    parts = _split(url)
    return parts is not None and parts.scheme in {"http", "https"}


def is_private(host: str) -> bool:
    """For a name or a number; ask again about the number that a name was resolved to."""
    host = host.strip("[]").rstrip(".").partition("%")[0].lower()
    number = _number(host)
    if number is not None:
        return not number.is_global or number.is_multicast
    local = (".localhost", ".local", ".internal", ".lan", ".home", ".home.arpa", ".intranet", ".corp")
    return "." not in host or host.endswith(local)


def matches(rule: Rule, url: str) -> bool:
    """A pattern's host must be the whole host: `https://a.org*` never frees `https://a.org.evil.net`."""
    if rule.pattern == "*" or (rule.exact and rule.matches(url)):
        return True
    pattern = re.fullmatch(r"(https?|\*)://(\*\.)?([^/*]+)\*?(/.*)?", rule.pattern)
    parts = _split(url)
    if pattern is None or parts is None or parts.hostname is None:
        return False
    scheme, wild, host, path = pattern.groups()
    _, _, netloc = parts.netloc.lower().rpartition("@")
    same = netloc == host.lower() or (wild is not None and netloc.endswith(f".{host.lower()}"))
    rest = url.split("://", 1)[1].partition("/")[2]
    return scheme in ("*", parts.scheme) and same and (not path or Rule(rule.tool, path).matches(f"/{rest}"))


def _split(url: str) -> SplitResult | None:
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return None
    return parts


def _number(host: str) -> IPv4Address | IPv6Address | None:
    import ipaddress

    try:
        found = ipaddress.ip_address(host)
    except ValueError:
        try:
            # The old spellings that a resolver still takes: 127.1, 0x7f000001, 2130706433, 0177.0.0.1.
            return ipaddress.IPv4Address(socket.inet_aton(host))
        except OSError:
            return None
    if isinstance(found, ipaddress.IPv6Address):
        carries = any(found in ipaddress.IPv6Network(net) for net in _CARRIERS)
        old = ipaddress.IPv4Address(found.packed[12:]) if carries and int(found) > 1 else None
        return found.ipv4_mapped or found.sixtofour or old or found
    return found
