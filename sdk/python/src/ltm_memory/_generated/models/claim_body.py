from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define
from dateutil.parser import isoparse

from ..models.claim_body_bucket import ClaimBodyBucket, check_claim_body_bucket
from ..models.claim_body_stability import ClaimBodyStability, check_claim_body_stability
from ..types import UNSET, Unset

T = TypeVar("T", bound="ClaimBody")


@_attrs_define
class ClaimBody:
    """
    Attributes:
        bucket (ClaimBodyBucket):
        text (str):
        confidence (float | Unset): Default: 1, or 0.5 of a suggestion.
        event_id (str | Unset): The event that says it.
        expires_at (datetime.datetime | Unset): When it stops being true by itself.
        note (str | Unset): Why.
        session (str | Unset): The occasion. Each counts once.
        stability (ClaimBodyStability | Unset): Default: med.
        suggest (bool | Unset): Only suggest it: it is not true until it is confirmed.
        user_id (str | Unset): Whom it is about. Required, but with a user's token.
    """

    bucket: ClaimBodyBucket
    text: str
    confidence: float | Unset = UNSET
    event_id: str | Unset = UNSET
    expires_at: datetime.datetime | Unset = UNSET
    note: str | Unset = UNSET
    session: str | Unset = UNSET
    stability: ClaimBodyStability | Unset = UNSET
    suggest: bool | Unset = UNSET
    user_id: str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        bucket: str = self.bucket

        text = self.text

        confidence = self.confidence

        event_id = self.event_id

        expires_at: str | Unset = UNSET
        if not isinstance(self.expires_at, Unset):
            expires_at = self.expires_at.isoformat()

        note = self.note

        session = self.session

        stability: str | Unset = UNSET
        if not isinstance(self.stability, Unset):
            stability = self.stability

        suggest = self.suggest

        user_id = self.user_id

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "bucket": bucket,
                "text": text,
            }
        )
        if confidence is not UNSET:
            field_dict["confidence"] = confidence
        if event_id is not UNSET:
            field_dict["event_id"] = event_id
        if expires_at is not UNSET:
            field_dict["expires_at"] = expires_at
        if note is not UNSET:
            field_dict["note"] = note
        if session is not UNSET:
            field_dict["session"] = session
        if stability is not UNSET:
            field_dict["stability"] = stability
        if suggest is not UNSET:
            field_dict["suggest"] = suggest
        if user_id is not UNSET:
            field_dict["user_id"] = user_id

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        bucket = check_claim_body_bucket(d.pop("bucket"))

        text = d.pop("text")

        confidence = d.pop("confidence", UNSET)

        event_id = d.pop("event_id", UNSET)

        _expires_at = d.pop("expires_at", UNSET)
        expires_at: datetime.datetime | Unset
        if isinstance(_expires_at, Unset):
            expires_at = UNSET
        else:
            expires_at = isoparse(_expires_at)

        note = d.pop("note", UNSET)

        session = d.pop("session", UNSET)

        _stability = d.pop("stability", UNSET)
        stability: ClaimBodyStability | Unset
        if isinstance(_stability, Unset):
            stability = UNSET
        else:
            stability = check_claim_body_stability(_stability)

        suggest = d.pop("suggest", UNSET)

        user_id = d.pop("user_id", UNSET)

        claim_body = cls(
            bucket=bucket,
            text=text,
            confidence=confidence,
            event_id=event_id,
            expires_at=expires_at,
            note=note,
            session=session,
            stability=stability,
            suggest=suggest,
            user_id=user_id,
        )

        return claim_body
