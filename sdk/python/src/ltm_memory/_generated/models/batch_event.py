from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar
from uuid import UUID

from attrs import define as _attrs_define
from dateutil.parser import isoparse

from ..models.batch_event_actor import BatchEventActor, check_batch_event_actor
from ..types import UNSET, Unset

T = TypeVar("T", bound="BatchEvent")


@_attrs_define
class BatchEvent:
    """
    Attributes:
        actor (BatchEventActor):
        content (str): At most 64 KiB.
        agent (str | Unset): Who said it, if the actor alone does not say.
        embed (bool | Unset): False: no vector is made of the event itself; words find it.
        id (UUID | Unset): Default: the server makes one.
        importance (int | Unset): How much it is worth keeping. Default: judged by its words.
        key (str | Unset): The client's own name of it, once in a thread: adding it again changes nothing.
        lang (str | Unset): Its language, such as de-AT. Default: English.
        meta (Any | Unset): An object of the application's own, of at most 16 KiB.
        occurred_at (datetime.datetime | Unset): When it was said. Default: now.
        session (str | Unset): The occasion. Default: the thread.
    """

    actor: BatchEventActor
    content: str
    agent: str | Unset = UNSET
    embed: bool | Unset = UNSET
    id: UUID | Unset = UNSET
    importance: int | Unset = UNSET
    key: str | Unset = UNSET
    lang: str | Unset = UNSET
    meta: Any | Unset = UNSET
    occurred_at: datetime.datetime | Unset = UNSET
    session: str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        actor: str = self.actor

        content = self.content

        agent = self.agent

        embed = self.embed

        id: str | Unset = UNSET
        if not isinstance(self.id, Unset):
            id = str(self.id)

        importance = self.importance

        key = self.key

        lang = self.lang

        meta = self.meta

        occurred_at: str | Unset = UNSET
        if not isinstance(self.occurred_at, Unset):
            occurred_at = self.occurred_at.isoformat()

        session = self.session

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "actor": actor,
                "content": content,
            }
        )
        if agent is not UNSET:
            field_dict["agent"] = agent
        if embed is not UNSET:
            field_dict["embed"] = embed
        if id is not UNSET:
            field_dict["id"] = id
        if importance is not UNSET:
            field_dict["importance"] = importance
        if key is not UNSET:
            field_dict["key"] = key
        if lang is not UNSET:
            field_dict["lang"] = lang
        if meta is not UNSET:
            field_dict["meta"] = meta
        if occurred_at is not UNSET:
            field_dict["occurred_at"] = occurred_at
        if session is not UNSET:
            field_dict["session"] = session

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        actor = check_batch_event_actor(d.pop("actor"))

        content = d.pop("content")

        agent = d.pop("agent", UNSET)

        embed = d.pop("embed", UNSET)

        _id = d.pop("id", UNSET)
        id: UUID | Unset
        if isinstance(_id, Unset):
            id = UNSET
        else:
            id = UUID(_id)

        importance = d.pop("importance", UNSET)

        key = d.pop("key", UNSET)

        lang = d.pop("lang", UNSET)

        meta = d.pop("meta", UNSET)

        _occurred_at = d.pop("occurred_at", UNSET)
        occurred_at: datetime.datetime | Unset
        if isinstance(_occurred_at, Unset):
            occurred_at = UNSET
        else:
            occurred_at = isoparse(_occurred_at)

        session = d.pop("session", UNSET)

        batch_event = cls(
            actor=actor,
            content=content,
            agent=agent,
            embed=embed,
            id=id,
            importance=importance,
            key=key,
            lang=lang,
            meta=meta,
            occurred_at=occurred_at,
            session=session,
        )

        return batch_event
