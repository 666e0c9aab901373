from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define
from dateutil.parser import isoparse

from ..types import UNSET, Unset

T = TypeVar("T", bound="ActEntry")


@_attrs_define
class ActEntry:
    """
    Attributes:
        at (datetime.datetime):
        by (str): rules, a model, client or import.
        id (str):
        verb (str):
        confidence (float | Unset):
        event_id (str | Unset):
        expires_at (datetime.datetime | Unset):
        note (str | Unset):
        other (str | Unset): The claim that supersedes it, or that it is in dispute with.
        proposed (bool | Unset): It was not done: the claims, or an event, suggest it.
        session (str | Unset):
        text (str | Unset): Of what it adds or suggests.
        undone_act_id (str | Unset):
        valid_from (datetime.datetime | Unset):
    """

    at: datetime.datetime
    by: str
    id: str
    verb: str
    confidence: float | Unset = UNSET
    event_id: str | Unset = UNSET
    expires_at: datetime.datetime | Unset = UNSET
    note: str | Unset = UNSET
    other: str | Unset = UNSET
    proposed: bool | Unset = UNSET
    session: str | Unset = UNSET
    text: str | Unset = UNSET
    undone_act_id: str | Unset = UNSET
    valid_from: datetime.datetime | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        at = self.at.isoformat()

        by = self.by

        id = self.id

        verb = self.verb

        confidence = self.confidence

        event_id = self.event_id

        expires_at: str | Unset = UNSET
        if not isinstance(self.expires_at, Unset):
            expires_at = self.expires_at.isoformat()

        note = self.note

        other = self.other

        proposed = self.proposed

        session = self.session

        text = self.text

        undone_act_id = self.undone_act_id

        valid_from: str | Unset = UNSET
        if not isinstance(self.valid_from, Unset):
            valid_from = self.valid_from.isoformat()

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "at": at,
                "by": by,
                "id": id,
                "verb": verb,
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
        if other is not UNSET:
            field_dict["other"] = other
        if proposed is not UNSET:
            field_dict["proposed"] = proposed
        if session is not UNSET:
            field_dict["session"] = session
        if text is not UNSET:
            field_dict["text"] = text
        if undone_act_id is not UNSET:
            field_dict["undone_act_id"] = undone_act_id
        if valid_from is not UNSET:
            field_dict["valid_from"] = valid_from

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        at = isoparse(d.pop("at"))

        by = d.pop("by")

        id = d.pop("id")

        verb = d.pop("verb")

        confidence = d.pop("confidence", UNSET)

        event_id = d.pop("event_id", UNSET)

        _expires_at = d.pop("expires_at", UNSET)
        expires_at: datetime.datetime | Unset
        if isinstance(_expires_at, Unset):
            expires_at = UNSET
        else:
            expires_at = isoparse(_expires_at)

        note = d.pop("note", UNSET)

        other = d.pop("other", UNSET)

        proposed = d.pop("proposed", UNSET)

        session = d.pop("session", UNSET)

        text = d.pop("text", UNSET)

        undone_act_id = d.pop("undone_act_id", UNSET)

        _valid_from = d.pop("valid_from", UNSET)
        valid_from: datetime.datetime | Unset
        if isinstance(_valid_from, Unset):
            valid_from = UNSET
        else:
            valid_from = isoparse(_valid_from)

        act_entry = cls(
            at=at,
            by=by,
            id=id,
            verb=verb,
            confidence=confidence,
            event_id=event_id,
            expires_at=expires_at,
            note=note,
            other=other,
            proposed=proposed,
            session=session,
            text=text,
            undone_act_id=undone_act_id,
            valid_from=valid_from,
        )

        return act_entry
