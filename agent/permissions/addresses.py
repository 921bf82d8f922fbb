"""Which web addresses lead to this machine or its neighbours, however they are spelled."""

from __future__ import annotations

import re
import socket
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, urlsplit

from agent.permissions.rules import Rule

if TYPE_CHECKING:
    from ipaddress import IPv4Address, IPv6Address

# The only IPv6 addresses that are handed out for the public internet.
_UNICAST = "2000::/3"
# IPv6 networks in which the last 32 bits are an IPv4 address to which packets go on.
_CARRIERS = ("::ffff:0:0/96", "64:ff9b::/96", "::/96")
_SIX_TO_FOUR = "2002::/16"
# Not for the public, whatever the table of this Python version says: relays, tunnels, private use, examples.
_SPECIAL = (
    *("192.88.99.0/24", "192.0.0.0/24"),
    *("64:ff9b:1::/48", "2001::/23", "2001:db8::/32", "3ffe::/16", "3fff::/20"),
)


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
        return not _is_public(number)
    local = (".localhost", ".local", ".internal", ".lan", ".home", ".home.arpa", ".intranet", ".corp")
    return "." not in host or host.endswith(local)


def is_number(host: str) -> bool:
    """Whether an address is spelled as a number, so that no name is looked up."""
    return _number(host.strip("[]").partition("%")[0].lower()) is not None


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


def _is_public(number: IPv4Address | IPv6Address) -> bool:
    """An IPv6 address that carries an IPv4 one leads where that one does."""
    import ipaddress

    if any(_is_in(number, network) for network in _SPECIAL) or number.is_multicast:
        return False
    if isinstance(number, ipaddress.IPv4Address):
        return number.is_global
    carried = _carried(number)
    if carried is not None:
        return _is_public(carried)
    return number.is_global and _is_in(number, _UNICAST)


def _carried(number: IPv6Address) -> IPv4Address | None:
    import ipaddress

    if any(_is_in(number, network) for network in _CARRIERS):
        return ipaddress.IPv4Address(number.packed[12:])
    if _is_in(number, _SIX_TO_FOUR):
        return ipaddress.IPv4Address(number.packed[2:6])
    # ISATAP: the network is any, the interface is 0000:5efe or 0200:5efe and then the IPv4 address.
    if number.packed[8:12] in (b"\x00\x00\x5e\xfe", b"\x02\x00\x5e\xfe"):
        return ipaddress.IPv4Address(number.packed[12:])
    return None


def _is_in(number: IPv4Address | IPv6Address, network: str) -> bool:
    import ipaddress

    return number in ipaddress.ip_network(network)


def _number(host: str) -> IPv4Address | IPv6Address | None:
    import ipaddress

    try:
        return ipaddress.ip_address(host)
    except ValueError:
        try:
            # The old spellings that a resolver still takes: 127.1, 0x7f000001, 2130706433, 0177.0.0.1.
            return ipaddress.IPv4Address(socket.inet_aton(host))
        except OSError:
            return None
