from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define
from dateutil.parser import isoparse

from ..types import UNSET, Unset

T = TypeVar("T", bound="EventEntry")


@_attrs_define
class EventEntry:
    """
    Attributes:
        content (str):
        created_at (datetime.datetime): When it was recorded.
        id (str):
        meta (Any): With the reaction.
        role (str):
        thread_id (str):
        agent (str | Unset): Only with detail.
        embed (bool | Unset): Only with detail.
        importance (int | Unset): 0 to 10. Only with detail.
        key (str | Unset): Only with detail.
        lang (str | Unset): Only with detail.
        occurred_at (datetime.datetime | Unset): Only with detail.
        session (str | Unset): Only with detail.
    """

    content: str
    created_at: datetime.datetime
    id: str
    meta: Any
    role: str
    thread_id: str
    agent: str | Unset = UNSET
    embed: bool | Unset = UNSET
    importance: int | Unset = UNSET
    key: str | Unset = UNSET
    lang: str | Unset = UNSET
    occurred_at: datetime.datetime | Unset = UNSET
    session: str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        content = self.content

        created_at = self.created_at.isoformat()

        id = self.id

        meta = self.meta

        role = self.role

        thread_id = self.thread_id

        agent = self.agent

        embed = self.embed

        importance = self.importance

        key = self.key

        lang = self.lang

        occurred_at: str | Unset = UNSET
        if not isinstance(self.occurred_at, Unset):
            occurred_at = self.occurred_at.isoformat()

        session = self.session

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "content": content,
                "created_at": created_at,
                "id": id,
                "meta": meta,
                "role": role,
                "thread_id": thread_id,
            }
        )
        if agent is not UNSET:
            field_dict["agent"] = agent
        if embed is not UNSET:
            field_dict["embed"] = embed
        if importance is not UNSET:
            field_dict["importance"] = importance
        if key is not UNSET:
            field_dict["key"] = key
        if lang is not UNSET:
            field_dict["lang"] = lang
        if occurred_at is not UNSET:
            field_dict["occurred_at"] = occurred_at
        if session is not UNSET:
            field_dict["session"] = session

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        content = d.pop("content")

        created_at = isoparse(d.pop("created_at"))

        id = d.pop("id")

        meta = d.pop("meta")

        role = d.pop("role")

        thread_id = d.pop("thread_id")

        agent = d.pop("agent", UNSET)

        embed = d.pop("embed", UNSET)

        importance = d.pop("importance", UNSET)

        key = d.pop("key", UNSET)

        lang = d.pop("lang", UNSET)

        _occurred_at = d.pop("occurred_at", UNSET)
        occurred_at: datetime.datetime | Unset
        if isinstance(_occurred_at, Unset):
            occurred_at = UNSET
        else:
            occurred_at = isoparse(_occurred_at)

        session = d.pop("session", UNSET)

        event_entry = cls(
            content=content,
            created_at=created_at,
            id=id,
            meta=meta,
            role=role,
            thread_id=thread_id,
            agent=agent,
            embed=embed,
            importance=importance,
            key=key,
            lang=lang,
            occurred_at=occurred_at,
            session=session,
        )

        return event_entry
