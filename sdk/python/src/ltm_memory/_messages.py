"""Messages as applications have them, and as the server takes them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, TypeAlias, cast

from ._generated.models import BatchEvent
from ._generated.models.batch_event_actor import BATCH_EVENT_ACTOR_VALUES

Message: TypeAlias = Mapping[str, Any]
"""A message: ``role`` (user, assistant, system or tool), ``content``, and what else an event may have:
``id``, ``key``, ``occurred_at`` (a datetime with a zone, or text in RFC 3339), ``agent``, ``session``,
``lang``, ``importance``, ``embed`` and ``meta``."""

Messages: TypeAlias = "str | Message | Sequence[str | Message]"
"""A text (of the user), a message, or several."""

_ROLES = {"developer": "system", "function": "tool"}
_ACTORS = sorted(BATCH_EVENT_ACTOR_VALUES)
_MORE = frozenset(BatchEvent.__annotations__) - {"actor", "content", "additional_properties"}
MOST = 1000
"""How many messages one request may have."""

MOST_BYTES = 3 << 20
"""How much of them, with room to the server's limit."""


def batches(messages: Messages) -> list[list[BatchEvent | None]]:
    """Return the events of messages, as many together as a request may have. None is one without text."""
    if isinstance(messages, (str, Mapping)):
        messages = [messages]
    if not isinstance(messages, Iterable):
        raise TypeError(f"messages are a text, a mapping with role and content, or a list, not {messages!r}")
    out: list[list[BatchEvent | None]] = []
    size = 0
    for message in messages:
        one = event(message)
        length = 0 if one is None else 256 + len(json.dumps(one.to_dict()))
        if not out or size + length > MOST_BYTES or len(out[-1]) == MOST:
            out.append([])
            size = 0
        out[-1].append(one)
        size += length
    return out


LONGEST_QUESTION = 8000
"""Characters that the server takes."""


def asked(question: str) -> str:
    """Return a question as the server takes it: of a longer one, the beginning and the end."""
    half = LONGEST_QUESTION // 2
    return question if len(question) <= LONGEST_QUESTION else f"{question[: half - 1]}\n{question[-half:]}"


def zoned(at: datetime | None) -> datetime | None:
    """Return a time, or raise ValueError if it has no zone."""
    if at is not None and at.tzinfo is None:
        raise ValueError("a time needs a zone, such as datetime.now(timezone.utc) has")
    return at


def event(message: str | Message) -> BatchEvent | None:
    """Return the event of one message, or None if it has no text, as a call of a tool has none."""
    if isinstance(message, str):
        message = {"role": "user", "content": message}
    if not isinstance(message, Mapping):
        raise TypeError(f"a message is a text or a mapping with role and content, not {type(message).__name__}")
    role = _ROLES.get(str(message.get("role")), message.get("role"))
    if role not in _ACTORS:
        raise ValueError(f"role must be one of {', '.join(_ACTORS)}, not {role!r}")
    text = _text(message.get("content"))
    if not text.strip():
        return None
    fields: dict[str, Any] = {"actor": role, "content": text}
    for name in sorted(_MORE & message.keys()):
        value = message[name]
        if isinstance(value, datetime):
            value = cast("datetime", zoned(value)).isoformat()
        if value is not None:
            fields[name] = value
    try:
        return BatchEvent.from_dict(fields)
    except (TypeError, ValueError) as e:
        raise ValueError(f"the message is not what the server takes: {e}") from e


def _text(content: object) -> str:
    """Return the text of a content: a text, or parts of which some have text. Pictures have none."""
    if content is None or isinstance(content, str):
        return content or ""
    if isinstance(content, Iterable) and not isinstance(content, (bytes, Mapping)):
        parts = [p if isinstance(p, str) else _part(p) for p in content]
        return "\n".join(p for p in parts if p)
    raise TypeError(f"content is a text or a list of parts, not {type(content).__name__}")


def _part(part: object) -> str:
    if isinstance(part, Mapping):
        part = cast("Mapping[str, Any]", part)
        if isinstance(part.get("text"), str):
            return str(part["text"])
    return ""
