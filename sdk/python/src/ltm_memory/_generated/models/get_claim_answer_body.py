from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.claim_entry import ClaimEntry


T = TypeVar("T", bound="GetClaimAnswerBody")


@_attrs_define
class GetClaimAnswerBody:
    """
    Attributes:
        claim (ClaimEntry):
    """

    claim: ClaimEntry

    def to_dict(self) -> dict[str, Any]:
        claim = self.claim.to_dict()

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "claim": claim,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.claim_entry import ClaimEntry

        d = dict(src_dict)
        claim = ClaimEntry.from_dict(d.pop("claim"))

        get_claim_answer_body = cls(
            claim=claim,
        )

        return get_claim_answer_body
