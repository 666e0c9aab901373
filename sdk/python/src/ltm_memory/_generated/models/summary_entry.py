from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define
from dateutil.parser import isoparse

from ..types import UNSET, Unset

T = TypeVar("T", bound="SummaryEntry")


@_attrs_define
class SummaryEntry:
    """
    Attributes:
        created_at (datetime.datetime):
        id (str):
        is_active (bool):
        meaningful_turns (int):
        range_end_event_id (str):
        range_start_event_id (str):
        reason (str): init, rolling_update or topic_shift.
        summary (str):
        updated_at (datetime.datetime):
        model (str | Unset): Which model wrote it. Absent: it consists of sentences of the events.
    """

    created_at: datetime.datetime
    id: str
    is_active: bool
    meaningful_turns: int
    range_end_event_id: str
    range_start_event_id: str
    reason: str
    summary: str
    updated_at: datetime.datetime
    model: str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        created_at = self.created_at.isoformat()

        id = self.id

        is_active = self.is_active

        meaningful_turns = self.meaningful_turns

        range_end_event_id = self.range_end_event_id

        range_start_event_id = self.range_start_event_id

        reason = self.reason

        summary = self.summary

        updated_at = self.updated_at.isoformat()

        model = self.model

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "created_at": created_at,
                "id": id,
                "is_active": is_active,
                "meaningful_turns": meaningful_turns,
                "range_end_event_id": range_end_event_id,
                "range_start_event_id": range_start_event_id,
                "reason": reason,
                "summary": summary,
                "updated_at": updated_at,
            }
        )
        if model is not UNSET:
            field_dict["model"] = model

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        created_at = isoparse(d.pop("created_at"))

        id = d.pop("id")

        is_active = d.pop("is_active")

        meaningful_turns = d.pop("meaningful_turns")

        range_end_event_id = d.pop("range_end_event_id")

        range_start_event_id = d.pop("range_start_event_id")

        reason = d.pop("reason")

        summary = d.pop("summary")

        updated_at = isoparse(d.pop("updated_at"))

        model = d.pop("model", UNSET)

        summary_entry = cls(
            created_at=created_at,
            id=id,
            is_active=is_active,
            meaningful_turns=meaningful_turns,
            range_end_event_id=range_end_event_id,
            range_start_event_id=range_start_event_id,
            reason=reason,
            summary=summary,
            updated_at=updated_at,
            model=model,
        )

        return summary_entry
