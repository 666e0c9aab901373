from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.act_entry import ActEntry


T = TypeVar("T", bound="ClaimHistoryAnswerBody")


@_attrs_define
class ClaimHistoryAnswerBody:
    """
    Attributes:
        acts (list[ActEntry]):
        claim_id (str):
    """

    acts: list[ActEntry]
    claim_id: str

    def to_dict(self) -> dict[str, Any]:
        acts = []
        for acts_item_data in self.acts:
            acts_item = acts_item_data.to_dict()
            acts.append(acts_item)

        claim_id = self.claim_id

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "acts": acts,
                "claim_id": claim_id,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.act_entry import ActEntry

        d = dict(src_dict)
        acts = []
        _acts = d.pop("acts")
        for acts_item_data in _acts:
            acts_item = ActEntry.from_dict(acts_item_data)

            acts.append(acts_item)

        claim_id = d.pop("claim_id")

        claim_history_answer_body = cls(
            acts=acts,
            claim_id=claim_id,
        )

        return claim_history_answer_body
