from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="BatchRow")


@_attrs_define
class BatchRow:
    """
    Attributes:
        new (bool): False: it was there before, by its key, or it was refused.
        error (str | Unset): Why it was refused.
        event_id (str | Unset):
    """

    new: bool
    error: str | Unset = UNSET
    event_id: str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        new = self.new

        error = self.error

        event_id = self.event_id

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "new": new,
            }
        )
        if error is not UNSET:
            field_dict["error"] = error
        if event_id is not UNSET:
            field_dict["event_id"] = event_id

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        new = d.pop("new")

        error = d.pop("error", UNSET)

        event_id = d.pop("event_id", UNSET)

        batch_row = cls(
            new=new,
            error=error,
            event_id=event_id,
        )

        return batch_row
