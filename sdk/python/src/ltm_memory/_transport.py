"""Requests that are sent again where that does no harm, and refusals as errors."""

from __future__ import annotations

import ipaddress
import json
from urllib.parse import urlsplit

import httpx

from .errors import APIError, problem

LONGEST_WAIT = 10.0
"""Seconds. A server that asks for more gets no second request."""

_READING = ("/v1/retrieve", "/v1/search", "/memory-context")


def checked_url(url: str, key: str, insecure: bool) -> str:
    """Return the address without a slash at its end, or raise ValueError."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("the server's address must be like https://memory.example.org")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise ValueError("the server's address must have no user, query or fragment")
    if not key or not all("!" <= c <= "~" for c in key):
        raise ValueError("the key must be visible ASCII without blanks; ltm-server key issue makes one")
    if parts.scheme == "http" and not insecure and not _loopback(parts.hostname):
        raise ValueError(
            f"the address {url} is not encrypted: others on the way could read the key; insecure=True allows it"
        )
    return url.rstrip("/")


def _loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def repeatable(request: httpx.Request) -> bool:
    """Whether sending a request twice does what sending it once does."""
    return (
        request.method in ("GET", "HEAD") or "Idempotency-Key" in request.headers or request.url.path.endswith(_READING)
    )


def wait_before(attempt: int, attempts: int, request: httpx.Request, response: httpx.Response | None) -> float | None:
    """Return how many seconds to wait before an attempt is followed by another, or None for no other.

    Without a response the connection failed. 429 means that nothing was done; 409 with Retry-After, that the
    attempt before is still being answered.
    """
    if attempt >= attempts:
        return None
    wait = 0.2 * attempt
    if response is None:
        return wait if repeatable(request) else None
    after = retry_after(response)
    again = response.status_code == 429 or (
        repeatable(request) and (response.status_code == 503 or (response.status_code == 409 and after is not None))
    )
    wait = max(wait, after or 0.0)
    return wait if again and wait <= LONGEST_WAIT else None


def retry_after(response: httpx.Response) -> float | None:
    """Return the seconds of a Retry-After. ltm-server gives no dates there."""
    text = response.headers.get("Retry-After", "")
    return float(text) if text.isdecimal() and len(text) < 9 else None


def not_unicode(error: UnicodeEncodeError) -> ValueError:
    """Return the error for a request with a text that UTF-8 cannot have."""
    start = error.start
    return ValueError(
        f"a text has half of a surrogate pair: {error.object[max(0, start - 40) : start + 1]!r}; "
        'text.encode("utf-8", "replace").decode() replaces it'
    )


def refusal(response: httpx.Response) -> APIError:
    """Return the error of an answer that is no success, and was read."""
    try:
        body = json.loads(response.content)
    except ValueError:
        body = None
    return problem(response.status_code, body, retry_after(response))


def spoken(response: httpx.Response) -> bool:
    """Whether a success is ltm-server's, which gives JSON, and not the page of a proxy."""
    return str(response.headers.get("Content-Type", "")).startswith("application/")
