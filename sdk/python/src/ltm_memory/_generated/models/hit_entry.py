from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from dateutil.parser import isoparse

from ..models.hit_entry_kind import HitEntryKind, check_hit_entry_kind
from ..types import UNSET, Unset

T = TypeVar("T", bound="HitEntry")


@_attrs_define
class HitEntry:
    """
    Attributes:
        id (str):
        kind (HitEntryKind):
        reasons (list[str]):
        score (float): 0 to 1.
        text (str):
        occurred_at (datetime.datetime | Unset):
        role (str | Unset):
        thread_id (str | Unset):
    """

    id: str
    kind: HitEntryKind
    reasons: list[str]
    score: float
    text: str
    occurred_at: datetime.datetime | Unset = UNSET
    role: str | Unset = UNSET
    thread_id: str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        kind: str = self.kind

        reasons = self.reasons

        score = self.score

        text = self.text

        occurred_at: str | Unset = UNSET
        if not isinstance(self.occurred_at, Unset):
            occurred_at = self.occurred_at.isoformat()

        role = self.role

        thread_id = self.thread_id

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "kind": kind,
                "reasons": reasons,
                "score": score,
                "text": text,
            }
        )
        if occurred_at is not UNSET:
            field_dict["occurred_at"] = occurred_at
        if role is not UNSET:
            field_dict["role"] = role
        if thread_id is not UNSET:
            field_dict["thread_id"] = thread_id

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        id = d.pop("id")

        kind = check_hit_entry_kind(d.pop("kind"))

        reasons = cast(list[str], d.pop("reasons"))

        score = d.pop("score")

        text = d.pop("text")

        _occurred_at = d.pop("occurred_at", UNSET)
        occurred_at: datetime.datetime | Unset
        if isinstance(_occurred_at, Unset):
            occurred_at = UNSET
        else:
            occurred_at = isoparse(_occurred_at)

        role = d.pop("role", UNSET)

        thread_id = d.pop("thread_id", UNSET)

        hit_entry = cls(
            id=id,
            kind=kind,
            reasons=reasons,
            score=score,
            text=text,
            occurred_at=occurred_at,
            role=role,
            thread_id=thread_id,
        )

        return hit_entry
