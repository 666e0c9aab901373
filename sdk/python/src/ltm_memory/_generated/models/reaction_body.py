from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define

T = TypeVar("T", bound="ReactionBody")


@_attrs_define
class ReactionBody:
    """
    Attributes:
        reaction (None | str): thumbs_up, heart, angry, sad or brain; null takes it off.
    """

    reaction: None | str

    def to_dict(self) -> dict[str, Any]:
        reaction: None | str
        reaction = self.reaction

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "reaction": reaction,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)

        def _parse_reaction(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        reaction = _parse_reaction(d.pop("reaction"))

        reaction_body = cls(
            reaction=reaction,
        )

        return reaction_body
