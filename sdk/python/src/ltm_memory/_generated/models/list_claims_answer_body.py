from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.claim_entry import ClaimEntry


T = TypeVar("T", bound="ListClaimsAnswerBody")


@_attrs_define
class ListClaimsAnswerBody:
    """
    Attributes:
        claims (list[ClaimEntry]):
        user_id (str):
        next_ (str | Unset): The cursor of the next page. Absent: this is the last.
    """

    claims: list[ClaimEntry]
    user_id: str
    next_: str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        claims = []
        for claims_item_data in self.claims:
            claims_item = claims_item_data.to_dict()
            claims.append(claims_item)

        user_id = self.user_id

        next_ = self.next_

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "claims": claims,
                "user_id": user_id,
            }
        )
        if next_ is not UNSET:
            field_dict["next"] = next_

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.claim_entry import ClaimEntry

        d = dict(src_dict)
        claims = []
        _claims = d.pop("claims")
        for claims_item_data in _claims:
            claims_item = ClaimEntry.from_dict(claims_item_data)

            claims.append(claims_item)

        user_id = d.pop("user_id")

        next_ = d.pop("next", UNSET)

        list_claims_answer_body = cls(
            claims=claims,
            user_id=user_id,
            next_=next_,
        )

        return list_claims_answer_body
