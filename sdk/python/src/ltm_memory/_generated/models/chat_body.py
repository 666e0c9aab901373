from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="ChatBody")


@_attrs_define
class ChatBody:
    """
    Attributes:
        text (str):
        short_term_limit (int | None | Unset): How many of the newest messages the model gets, 1 to 200. Default: 30.
    """

    text: str
    short_term_limit: int | None | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        text = self.text

        short_term_limit: int | None | Unset
        if isinstance(self.short_term_limit, Unset):
            short_term_limit = UNSET
        else:
            short_term_limit = self.short_term_limit

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "text": text,
            }
        )
        if short_term_limit is not UNSET:
            field_dict["short_term_limit"] = short_term_limit

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        text = d.pop("text")

        def _parse_short_term_limit(data: object) -> int | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(int | None | Unset, data)

        short_term_limit = _parse_short_term_limit(d.pop("short_term_limit", UNSET))

        chat_body = cls(
            text=text,
            short_term_limit=short_term_limit,
        )

        return chat_body
