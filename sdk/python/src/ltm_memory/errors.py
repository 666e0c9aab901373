"""What can go wrong, as types. All derive from :class:`LTMError`."""

from __future__ import annotations

from typing import Any


class LTMError(Exception):
    """Any failure of a request."""


class ConnectionFailed(LTMError):
    """No answer of the server arrived, or only a part of one."""


class MessagesRefused(LTMError):
    """The server refused some of the messages. The others are stored.

    ``reasons`` maps the place of a message in the list that was added to why it was refused. ``ids`` has an id for
    each, None if it is not stored.
    """

    def __init__(self, reasons: dict[int, str], ids: list[str | None]) -> None:
        """Name the first of them, and how many there are."""
        place, why = next(iter(reasons.items()))
        why = why.removesuffix("; nothing was changed")
        super().__init__(f"{len(reasons)} of {len(ids)} messages refused, the others are stored; [{place}]: {why}")
        self.reasons = reasons
        self.ids = ids


class APIError(LTMError):
    """The server refused a request.

    ``status`` is HTTP's, ``kind`` the server's name of the problem, such as ``"not-found"`` (empty if
    something else than ltm-server answered), ``request_id`` names the request in the server's log, and
    ``retry_after`` is in seconds, if the server said when to try again.
    """

    def __init__(
        self,
        status: int,
        kind: str,
        detail: str,
        request_id: str = "",
        retry_after: float | None = None,
    ) -> None:
        """Keep what the server said."""
        super().__init__(f"the server answered {status}: {detail}")
        self.status = status
        self.kind = kind
        self.detail = detail
        self.request_id = request_id
        self.retry_after = retry_after


class InvalidRequest(APIError):
    """400, 413 or 422: the request is not what the server takes. The detail says what it allows."""


class Unauthorized(APIError):
    """401 or 403: the key or token is not valid, or may not do this."""


class NotFound(APIError):
    """404: there is no such thing, or it is another user's."""


class Conflict(APIError):
    """409: it is taken, or its state does not allow this."""


class Gone(APIError):
    """410: the cursor is older than what the server still lists."""


class RateLimited(APIError):
    """429: too many requests, still after the retries."""


class Unavailable(APIError):
    """5xx: the server, its database or its model cannot answer now."""


_BY_STATUS: dict[int, type[APIError]] = {
    400: InvalidRequest,
    413: InvalidRequest,
    422: InvalidRequest,
    401: Unauthorized,
    403: Unauthorized,
    404: NotFound,
    409: Conflict,
    410: Gone,
    429: RateLimited,
}


def problem(status: int, body: Any, retry_after: float | None) -> APIError:
    """Return the error for an answer. The body is a problem document, or anything else from a proxy."""
    known = _BY_STATUS.get(status, Unavailable if status >= 500 else APIError)
    if not isinstance(body, dict) or "detail" not in body:
        return known(status, "", "an answer that ltm-server does not give", retry_after=retry_after)
    kind = str(body.get("type", "")).rpartition("#")[2]
    return known(status, kind, str(body["detail"]), str(body.get("request_id", "")), retry_after)
