from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from dateutil.parser import isoparse

T = TypeVar("T", bound="ThreadEntry")


@_attrs_define
class ThreadEntry:
    """
    Attributes:
        created_at (datetime.datetime):
        id (str):
        is_core_memory (bool):
        title (None | str):
        user_id (str):
    """

    created_at: datetime.datetime
    id: str
    is_core_memory: bool
    title: None | str
    user_id: str

    def to_dict(self) -> dict[str, Any]:
        created_at = self.created_at.isoformat()

        id = self.id

        is_core_memory = self.is_core_memory

        title: None | str
        title = self.title

        user_id = self.user_id

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "created_at": created_at,
                "id": id,
                "is_core_memory": is_core_memory,
                "title": title,
                "user_id": user_id,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        created_at = isoparse(d.pop("created_at"))

        id = d.pop("id")

        is_core_memory = d.pop("is_core_memory")

        def _parse_title(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        title = _parse_title(d.pop("title"))

        user_id = d.pop("user_id")

        thread_entry = cls(
            created_at=created_at,
            id=id,
            is_core_memory=is_core_memory,
            title=title,
            user_id=user_id,
        )

        return thread_entry
