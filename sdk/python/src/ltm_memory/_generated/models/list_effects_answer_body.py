from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.effect_entry import EffectEntry


T = TypeVar("T", bound="ListEffectsAnswerBody")


@_attrs_define
class ListEffectsAnswerBody:
    """
    Attributes:
        effects (list[EffectEntry]):
        event_id (str):
    """

    effects: list[EffectEntry]
    event_id: str

    def to_dict(self) -> dict[str, Any]:
        effects = []
        for effects_item_data in self.effects:
            effects_item = effects_item_data.to_dict()
            effects.append(effects_item)

        event_id = self.event_id

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "effects": effects,
                "event_id": event_id,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.effect_entry import EffectEntry

        d = dict(src_dict)
        effects = []
        _effects = d.pop("effects")
        for effects_item_data in _effects:
            effects_item = EffectEntry.from_dict(effects_item_data)

            effects.append(effects_item)

        event_id = d.pop("event_id")

        list_effects_answer_body = cls(
            effects=effects,
            event_id=event_id,
        )

        return list_effects_answer_body
