from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.act_entry import ActEntry
    from ..models.claim_entry import ClaimEntry


T = TypeVar("T", bound="ActAnswerBody")


@_attrs_define
class ActAnswerBody:
    """
    Attributes:
        act (ActEntry):
        claim (ClaimEntry | None): As it is now; null if nothing states it any more.
    """

    act: ActEntry
    claim: ClaimEntry | None

    def to_dict(self) -> dict[str, Any]:
        from ..models.claim_entry import ClaimEntry

        act = self.act.to_dict()

        claim: dict[str, Any] | None
        if isinstance(self.claim, ClaimEntry):
            claim = self.claim.to_dict()
        else:
            claim = self.claim

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "act": act,
                "claim": claim,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.act_entry import ActEntry
        from ..models.claim_entry import ClaimEntry

        d = dict(src_dict)
        act = ActEntry.from_dict(d.pop("act"))

        def _parse_claim(data: object) -> ClaimEntry | None:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                claim_type_0 = ClaimEntry.from_dict(data)

                return claim_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(ClaimEntry | None, data)

        claim = _parse_claim(d.pop("claim"))

        act_answer_body = cls(
            act=act,
            claim=claim,
        )

        return act_answer_body
