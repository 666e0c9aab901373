from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define
from dateutil.parser import isoparse

from ..models.change_entry_kind import ChangeEntryKind, check_change_entry_kind
from ..models.change_entry_op import ChangeEntryOp, check_change_entry_op

T = TypeVar("T", bound="ChangeEntry")


@_attrs_define
class ChangeEntry:
    """
    Attributes:
        at (datetime.datetime):
        id (str):
        kind (ChangeEntryKind):
        op (ChangeEntryOp):
        user_id (str):
    """

    at: datetime.datetime
    id: str
    kind: ChangeEntryKind
    op: ChangeEntryOp
    user_id: str

    def to_dict(self) -> dict[str, Any]:
        at = self.at.isoformat()

        id = self.id

        kind: str = self.kind

        op: str = self.op

        user_id = self.user_id

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "at": at,
                "id": id,
                "kind": kind,
                "op": op,
                "user_id": user_id,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        at = isoparse(d.pop("at"))

        id = d.pop("id")

        kind = check_change_entry_kind(d.pop("kind"))

        op = check_change_entry_op(d.pop("op"))

        user_id = d.pop("user_id")

        change_entry = cls(
            at=at,
            id=id,
            kind=kind,
            op=op,
            user_id=user_id,
        )

        return change_entry
