from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar
from uuid import UUID

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="ThreadBody")


@_attrs_define
class ThreadBody:
    """
    Attributes:
        agent (str | Unset): Which agent of the application it is with.
        id (UUID | Unset): The thread's id. Default: the server makes one.
        meta (Any | Unset): An object of the application's own, of at most 16 KiB.
        title (str | Unset):
        user_id (str | Unset): Whose thread it is. Required, but with a user's token, whose user it is then.
    """

    agent: str | Unset = UNSET
    id: UUID | Unset = UNSET
    meta: Any | Unset = UNSET
    title: str | Unset = UNSET
    user_id: str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        agent = self.agent

        id: str | Unset = UNSET
        if not isinstance(self.id, Unset):
            id = str(self.id)

        meta = self.meta

        title = self.title

        user_id = self.user_id

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if agent is not UNSET:
            field_dict["agent"] = agent
        if id is not UNSET:
            field_dict["id"] = id
        if meta is not UNSET:
            field_dict["meta"] = meta
        if title is not UNSET:
            field_dict["title"] = title
        if user_id is not UNSET:
            field_dict["user_id"] = user_id

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        agent = d.pop("agent", UNSET)

        _id = d.pop("id", UNSET)
        id: UUID | Unset
        if isinstance(_id, Unset):
            id = UNSET
        else:
            id = UUID(_id)

        meta = d.pop("meta", UNSET)

        title = d.pop("title", UNSET)

        user_id = d.pop("user_id", UNSET)

        thread_body = cls(
            agent=agent,
            id=id,
            meta=meta,
            title=title,
            user_id=user_id,
        )

        return thread_body
