from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.profile_entry import ProfileEntry


T = TypeVar("T", bound="ProfileAnswerBody")


@_attrs_define
class ProfileAnswerBody:
    """
    Attributes:
        dynamic (list[ProfileEntry]): What they are about, the newest first.
        static (list[ProfileEntry]): What they are: constraints, style and profile first.
        user_id (str):
    """

    dynamic: list[ProfileEntry]
    static: list[ProfileEntry]
    user_id: str

    def to_dict(self) -> dict[str, Any]:
        dynamic = []
        for dynamic_item_data in self.dynamic:
            dynamic_item = dynamic_item_data.to_dict()
            dynamic.append(dynamic_item)

        static = []
        for static_item_data in self.static:
            static_item = static_item_data.to_dict()
            static.append(static_item)

        user_id = self.user_id

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "dynamic": dynamic,
                "static": static,
                "user_id": user_id,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.profile_entry import ProfileEntry

        d = dict(src_dict)
        dynamic = []
        _dynamic = d.pop("dynamic")
        for dynamic_item_data in _dynamic:
            dynamic_item = ProfileEntry.from_dict(dynamic_item_data)

            dynamic.append(dynamic_item)

        static = []
        _static = d.pop("static")
        for static_item_data in _static:
            static_item = ProfileEntry.from_dict(static_item_data)

            static.append(static_item)

        user_id = d.pop("user_id")

        profile_answer_body = cls(
            dynamic=dynamic,
            static=static,
            user_id=user_id,
        )

        return profile_answer_body
