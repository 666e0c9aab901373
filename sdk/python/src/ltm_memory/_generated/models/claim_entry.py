from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from dateutil.parser import isoparse

from ..models.claim_entry_state import ClaimEntryState, check_claim_entry_state
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.evidence_entry import EvidenceEntry
    from ..models.period_entry import PeriodEntry


T = TypeVar("T", bound="ClaimEntry")


@_attrs_define
class ClaimEntry:
    """
    Attributes:
        bucket (str):
        confidence (float): 0 to 1.
        created_at (datetime.datetime):
        evidence (list[EvidenceEntry]):
        id (str):
        reinforcement_count (int): The number of occasions that stated it.
        state (ClaimEntryState):
        text (str):
        updated_at (datetime.datetime):
        valid (list[PeriodEntry]): When it counted as true, in order.
        against (list[str] | Unset): The claims that contradict it: in dispute, or proposed; see the history.
        expires_at (datetime.datetime | Unset):
        stability (str | Unset): high, med or low.
        superseded_by (str | Unset):
    """

    bucket: str
    confidence: float
    created_at: datetime.datetime
    evidence: list[EvidenceEntry]
    id: str
    reinforcement_count: int
    state: ClaimEntryState
    text: str
    updated_at: datetime.datetime
    valid: list[PeriodEntry]
    against: list[str] | Unset = UNSET
    expires_at: datetime.datetime | Unset = UNSET
    stability: str | Unset = UNSET
    superseded_by: str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        bucket = self.bucket

        confidence = self.confidence

        created_at = self.created_at.isoformat()

        evidence = []
        for evidence_item_data in self.evidence:
            evidence_item = evidence_item_data.to_dict()
            evidence.append(evidence_item)

        id = self.id

        reinforcement_count = self.reinforcement_count

        state: str = self.state

        text = self.text

        updated_at = self.updated_at.isoformat()

        valid = []
        for valid_item_data in self.valid:
            valid_item = valid_item_data.to_dict()
            valid.append(valid_item)

        against: list[str] | Unset = UNSET
        if not isinstance(self.against, Unset):
            against = self.against

        expires_at: str | Unset = UNSET
        if not isinstance(self.expires_at, Unset):
            expires_at = self.expires_at.isoformat()

        stability = self.stability

        superseded_by = self.superseded_by

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "bucket": bucket,
                "confidence": confidence,
                "created_at": created_at,
                "evidence": evidence,
                "id": id,
                "reinforcement_count": reinforcement_count,
                "state": state,
                "text": text,
                "updated_at": updated_at,
                "valid": valid,
            }
        )
        if against is not UNSET:
            field_dict["against"] = against
        if expires_at is not UNSET:
            field_dict["expires_at"] = expires_at
        if stability is not UNSET:
            field_dict["stability"] = stability
        if superseded_by is not UNSET:
            field_dict["superseded_by"] = superseded_by

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.evidence_entry import EvidenceEntry
        from ..models.period_entry import PeriodEntry

        d = dict(src_dict)
        bucket = d.pop("bucket")

        confidence = d.pop("confidence")

        created_at = isoparse(d.pop("created_at"))

        evidence = []
        _evidence = d.pop("evidence")
        for evidence_item_data in _evidence:
            evidence_item = EvidenceEntry.from_dict(evidence_item_data)

            evidence.append(evidence_item)

        id = d.pop("id")

        reinforcement_count = d.pop("reinforcement_count")

        state = check_claim_entry_state(d.pop("state"))

        text = d.pop("text")

        updated_at = isoparse(d.pop("updated_at"))

        valid = []
        _valid = d.pop("valid")
        for valid_item_data in _valid:
            valid_item = PeriodEntry.from_dict(valid_item_data)

            valid.append(valid_item)

        against = cast(list[str], d.pop("against", UNSET))

        _expires_at = d.pop("expires_at", UNSET)
        expires_at: datetime.datetime | Unset
        if isinstance(_expires_at, Unset):
            expires_at = UNSET
        else:
            expires_at = isoparse(_expires_at)

        stability = d.pop("stability", UNSET)

        superseded_by = d.pop("superseded_by", UNSET)

        claim_entry = cls(
            bucket=bucket,
            confidence=confidence,
            created_at=created_at,
            evidence=evidence,
            id=id,
            reinforcement_count=reinforcement_count,
            state=state,
            text=text,
            updated_at=updated_at,
            valid=valid,
            against=against,
            expires_at=expires_at,
            stability=stability,
            superseded_by=superseded_by,
        )

        return claim_entry
