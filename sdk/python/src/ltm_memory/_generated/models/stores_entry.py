from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="StoresEntry")


@_attrs_define
class StoresEntry:
    """
    Attributes:
        found (int): The memories that match.
        shown (int):
        tokens (int): Of those that are shown, as estimated.
    """

    found: int
    shown: int
    tokens: int

    def to_dict(self) -> dict[str, Any]:
        found = self.found

        shown = self.shown

        tokens = self.tokens

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "found": found,
                "shown": shown,
                "tokens": tokens,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        found = d.pop("found")

        shown = d.pop("shown")

        tokens = d.pop("tokens")

        stores_entry = cls(
            found=found,
            shown=shown,
            tokens=tokens,
        )

        return stores_entry
