from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define
from dateutil.parser import isoparse

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.claim_entry import ClaimEntry


T = TypeVar("T", bound="ProfileEntry")


@_attrs_define
class ProfileEntry:
    """
    Attributes:
        claim (ClaimEntry):
        since (datetime.datetime):
        slot (str | Unset): What it says, if its form is known: name, home, work, allergy …
        value (str | Unset):
    """

    claim: ClaimEntry
    since: datetime.datetime
    slot: str | Unset = UNSET
    value: str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        claim = self.claim.to_dict()

        since = self.since.isoformat()

        slot = self.slot

        value = self.value

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "claim": claim,
                "since": since,
            }
        )
        if slot is not UNSET:
            field_dict["slot"] = slot
        if value is not UNSET:
            field_dict["value"] = value

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.claim_entry import ClaimEntry

        d = dict(src_dict)
        claim = ClaimEntry.from_dict(d.pop("claim"))

        since = isoparse(d.pop("since"))

        slot = d.pop("slot", UNSET)

        value = d.pop("value", UNSET)

        profile_entry = cls(
            claim=claim,
            since=since,
            slot=slot,
            value=value,
        )

        return profile_entry
