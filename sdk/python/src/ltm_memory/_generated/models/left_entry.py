from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

from ..models.left_entry_source import LeftEntrySource, check_left_entry_source
from ..types import UNSET, Unset

T = TypeVar("T", bound="LeftEntry")


@_attrs_define
class LeftEntry:
    """
    Attributes:
        id (str):
        reason (str):
        source (LeftEntrySource):
        store (str | Unset): Of a memory: the name of its store.
    """

    id: str
    reason: str
    source: LeftEntrySource
    store: str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        reason = self.reason

        source: str = self.source

        store = self.store

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "reason": reason,
                "source": source,
            }
        )
        if store is not UNSET:
            field_dict["store"] = store

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        id = d.pop("id")

        reason = d.pop("reason")

        source = check_left_entry_source(d.pop("source"))

        store = d.pop("store", UNSET)

        left_entry = cls(
            id=id,
            reason=reason,
            source=source,
            store=store,
        )

        return left_entry
