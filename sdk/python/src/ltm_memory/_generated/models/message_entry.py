from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

from ..models.message_entry_role import MessageEntryRole, check_message_entry_role

T = TypeVar("T", bound="MessageEntry")


@_attrs_define
class MessageEntry:
    """
    Attributes:
        content (str):
        role (MessageEntryRole):
    """

    content: str
    role: MessageEntryRole

    def to_dict(self) -> dict[str, Any]:
        content = self.content

        role: str = self.role

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "content": content,
                "role": role,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        content = d.pop("content")

        role = check_message_entry_role(d.pop("role"))

        message_entry = cls(
            content=content,
            role=role,
        )

        return message_entry
