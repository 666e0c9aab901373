"""For the OpenAI Agents SDK: a session that lasts. Needs the extra ``openai-agents``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, cast

from . import AsyncThread, NotFound

if TYPE_CHECKING:
    from agents import TResponseInputItem
    from agents.memory.session_settings import SessionSettings

_MOST = 60 << 10
"""Bytes of the text of an item: an event takes 64 KiB."""

_REST = 1024
"""Characters of any other text: all of them together may have 16 KiB of JSON."""

_NAMES = frozenset({"id", "call_id", "type", "role", "status", "name"})
"""Keys whose values say nothing."""


class LTMSession:
    """A session of the SDK (its protocol ``Session``) whose items are the events of a thread.

    Items come back as they were, but for texts of more than 60 KiB, of which the beginning is left, and pictures and
    files within an item, of which a note is. What has no text, such as a call, is stored as an event of a tool.
    """

    session_settings: SessionSettings | None = None

    def __init__(self, thread: AsyncThread) -> None:
        """Keep the thread. Its first item stores it."""
        self._thread = thread
        self.session_id = thread.id

    async def get_items(self, limit: int | None = None) -> list[TResponseInputItem]:
        """Return all items or the newest, the oldest first."""
        items: list[TResponseInputItem] = []
        if limit is not None and limit <= 0:
            return items
        try:
            async for event in self._thread.messages():
                items.append(_item(event))
                if len(items) == limit:
                    break
        except NotFound:
            pass
        return items[::-1]

    async def add_items(self, items: list[TResponseInputItem]) -> None:
        """Store items."""
        await self._thread.add([_message(cast("dict[str, Any]", item)) for item in items])

    async def pop_item(self) -> TResponseInputItem | None:
        """Remove the newest item, with what follows from it alone, and return it."""
        try:
            async for event in self._thread.messages():
                await self._thread.delete_message(event.id)
                return _item(event)
        except NotFound:
            pass
        return None

    async def clear_session(self) -> None:
        """Delete the thread and what follows from it alone."""
        try:
            await self._thread.delete()
        except NotFound:
            pass


def _item(event: Any) -> TResponseInputItem:
    """Return the item of an event. One that another program stored is a plain message."""
    kept = event.meta.get("item") if isinstance(event.meta, dict) else None
    if kept is None:
        return cast("TResponseInputItem", {"role": event.role, "content": event.content})
    return cast("TResponseInputItem", _put(kept, event.meta.get("text", []), event.content))


def _message(item: dict[str, Any]) -> dict[str, Any]:
    """Return the message of an item. Its longest text is the content, and is not repeated in the item that is kept."""
    item = _light(item, str(item.get("role", "")))
    path, text = max(_texts(item, []), key=lambda found: len(found[1]), default=([], ""))
    meta: dict[str, Any] = {"item": item}
    if text:
        meta = {"item": _shorten(_put(item, path, "")), "text": path}
    content = _head(text) or str(item.get("name", item.get("type", "item")))
    return {"role": item.get("role", "tool"), "content": content, "meta": meta}


def _texts(value: Any, path: list[Any]) -> Iterator[tuple[list[Any], str]]:
    """Go through the texts of an item, with the keys and places that lead to each."""
    if isinstance(value, str):
        if value.strip() and path and path[-1] not in _NAMES:
            yield path, value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _texts(inner, [*path, key])
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from _texts(inner, [*path, place])


def _put(value: Any, path: list[Any], text: str) -> Any:
    """Return a copy with a text where a path leads."""
    if not path:
        return value if not isinstance(value, str) else text
    copy = value.copy()
    copy[path[0]] = _put(value[path[0]], path[1:], text)
    return copy


def _light(value: Any, role: str) -> Any:
    """Return a copy with a note in place of each part that carries data, such as a picture."""
    if isinstance(value, dict):
        if any(isinstance(v, str) and (v.startswith("data:") or k == "file_data") for k, v in value.items()):
            kind = "output_text" if role == "assistant" else "input_text"
            return {"type": kind, "text": f"({value.get('type', 'data')}, not kept)"}
        return {k: _light(v, role) for k, v in value.items()}
    return [_light(v, role) for v in value] if isinstance(value, list) else value


def _shorten(value: Any) -> Any:
    """Return a copy with the beginnings of its texts."""
    if isinstance(value, str) and len(value) > _REST:
        return f"{value[:_REST]}… (cut: it had {len(value)} characters)"
    if isinstance(value, dict):
        return {k: _shorten(v) for k, v in value.items()}
    return [_shorten(v) for v in value] if isinstance(value, list) else value


def _head(text: str) -> str:
    """Return a text, or the beginning of one that is too long, and says so."""
    raw = text.encode()
    if len(raw) <= _MOST:
        return text
    return raw[:_MOST].decode(errors="ignore") + f"… (cut: it had {len(text)} characters)"
