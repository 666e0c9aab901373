from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define
from dateutil.parser import isoparse

from ..types import UNSET, Unset

T = TypeVar("T", bound="EvidenceEntry")


@_attrs_define
class EvidenceEntry:
    """
    Attributes:
        at (datetime.datetime):
        act_id (str | Unset): The act that stated it directly.
        event_id (str | Unset):
        session (str | Unset):
        thread_id (str | Unset):
    """

    at: datetime.datetime
    act_id: str | Unset = UNSET
    event_id: str | Unset = UNSET
    session: str | Unset = UNSET
    thread_id: str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        at = self.at.isoformat()

        act_id = self.act_id

        event_id = self.event_id

        session = self.session

        thread_id = self.thread_id

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "at": at,
            }
        )
        if act_id is not UNSET:
            field_dict["act_id"] = act_id
        if event_id is not UNSET:
            field_dict["event_id"] = event_id
        if session is not UNSET:
            field_dict["session"] = session
        if thread_id is not UNSET:
            field_dict["thread_id"] = thread_id

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        at = isoparse(d.pop("at"))

        act_id = d.pop("act_id", UNSET)

        event_id = d.pop("event_id", UNSET)

        session = d.pop("session", UNSET)

        thread_id = d.pop("thread_id", UNSET)

        evidence_entry = cls(
            at=at,
            act_id=act_id,
            event_id=event_id,
            session=session,
            thread_id=thread_id,
        )

        return evidence_entry
