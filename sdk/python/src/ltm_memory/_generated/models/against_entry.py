from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="AgainstEntry")


@_attrs_define
class AgainstEntry:
    """
    Attributes:
        id (str):
        state (str):
        text (str):
    """

    id: str
    state: str
    text: str

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        state = self.state

        text = self.text

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "state": state,
                "text": text,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        id = d.pop("id")

        state = d.pop("state")

        text = d.pop("text")

        against_entry = cls(
            id=id,
            state=state,
            text=text,
        )

        return against_entry
