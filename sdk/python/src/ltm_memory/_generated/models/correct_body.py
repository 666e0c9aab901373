from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define
from dateutil.parser import isoparse

from ..types import UNSET, Unset

T = TypeVar("T", bound="CorrectBody")


@_attrs_define
class CorrectBody:
    """
    Attributes:
        note (str | Unset): Why.
        other (str | Unset): Instead of text: the claim that is true instead, active or suggested.
        text (str | Unset): What is true instead: it becomes an active claim of the same bucket.
        user_id (str | Unset): Whom it is about. Required here or as a parameter, but with a user's token.
        valid_from (datetime.datetime | Unset): When it became true. Default: when it was first said.
    """

    note: str | Unset = UNSET
    other: str | Unset = UNSET
    text: str | Unset = UNSET
    user_id: str | Unset = UNSET
    valid_from: datetime.datetime | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        note = self.note

        other = self.other

        text = self.text

        user_id = self.user_id

        valid_from: str | Unset = UNSET
        if not isinstance(self.valid_from, Unset):
            valid_from = self.valid_from.isoformat()

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if note is not UNSET:
            field_dict["note"] = note
        if other is not UNSET:
            field_dict["other"] = other
        if text is not UNSET:
            field_dict["text"] = text
        if user_id is not UNSET:
            field_dict["user_id"] = user_id
        if valid_from is not UNSET:
            field_dict["valid_from"] = valid_from

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        note = d.pop("note", UNSET)

        other = d.pop("other", UNSET)

        text = d.pop("text", UNSET)

        user_id = d.pop("user_id", UNSET)

        _valid_from = d.pop("valid_from", UNSET)
        valid_from: datetime.datetime | Unset
        if isinstance(_valid_from, Unset):
            valid_from = UNSET
        else:
            valid_from = isoparse(_valid_from)

        correct_body = cls(
            note=note,
            other=other,
            text=text,
            user_id=user_id,
            valid_from=valid_from,
        )

        return correct_body
