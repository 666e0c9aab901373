from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="DeleteClaimAnswerBody")


@_attrs_define
class DeleteClaimAnswerBody:
    """
    Attributes:
        claim_id (str):
        deleted (bool):
        act_id (str | Unset):
    """

    claim_id: str
    deleted: bool
    act_id: str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        claim_id = self.claim_id

        deleted = self.deleted

        act_id = self.act_id

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "claim_id": claim_id,
                "deleted": deleted,
            }
        )
        if act_id is not UNSET:
            field_dict["act_id"] = act_id

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        claim_id = d.pop("claim_id")

        deleted = d.pop("deleted")

        act_id = d.pop("act_id", UNSET)

        delete_claim_answer_body = cls(
            claim_id=claim_id,
            deleted=deleted,
            act_id=act_id,
        )

        return delete_claim_answer_body
