from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="ActBody")


@_attrs_define
class ActBody:
    """
    Attributes:
        note (str | Unset): Why.
        user_id (str | Unset): Whom it is about. Required here or as a parameter, but with a user's token.
    """

    note: str | Unset = UNSET
    user_id: str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        note = self.note

        user_id = self.user_id

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if note is not UNSET:
            field_dict["note"] = note
        if user_id is not UNSET:
            field_dict["user_id"] = user_id

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        note = d.pop("note", UNSET)

        user_id = d.pop("user_id", UNSET)

        act_body = cls(
            note=note,
            user_id=user_id,
        )

        return act_body
