from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="DisputeBody")


@_attrs_define
class DisputeBody:
    """
    Attributes:
        other (str): The claim that it contradicts.
        note (str | Unset): Why.
        user_id (str | Unset): Whom it is about. Required here or as a parameter, but with a user's token.
    """

    other: str
    note: str | Unset = UNSET
    user_id: str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        other = self.other

        note = self.note

        user_id = self.user_id

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "other": other,
            }
        )
        if note is not UNSET:
            field_dict["note"] = note
        if user_id is not UNSET:
            field_dict["user_id"] = user_id

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        other = d.pop("other")

        note = d.pop("note", UNSET)

        user_id = d.pop("user_id", UNSET)

        dispute_body = cls(
            other=other,
            note=note,
            user_id=user_id,
        )

        return dispute_body
