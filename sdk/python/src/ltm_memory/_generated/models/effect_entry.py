from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define
from dateutil.parser import isoparse

from ..models.effect_entry_state import EffectEntryState, check_effect_entry_state
from ..types import UNSET, Unset

T = TypeVar("T", bound="EffectEntry")


@_attrs_define
class EffectEntry:
    """
    Attributes:
        attempts (int):
        kind (str): suggest, extract, summarize or embed.
        since (datetime.datetime):
        state (EffectEntryState):
        done_at (datetime.datetime | Unset):
        reason (str | Unset): Why it was skipped, has failed, or is to be tried again.
    """

    attempts: int
    kind: str
    since: datetime.datetime
    state: EffectEntryState
    done_at: datetime.datetime | Unset = UNSET
    reason: str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        attempts = self.attempts

        kind = self.kind

        since = self.since.isoformat()

        state: str = self.state

        done_at: str | Unset = UNSET
        if not isinstance(self.done_at, Unset):
            done_at = self.done_at.isoformat()

        reason = self.reason

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "attempts": attempts,
                "kind": kind,
                "since": since,
                "state": state,
            }
        )
        if done_at is not UNSET:
            field_dict["done_at"] = done_at
        if reason is not UNSET:
            field_dict["reason"] = reason

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        attempts = d.pop("attempts")

        kind = d.pop("kind")

        since = isoparse(d.pop("since"))

        state = check_effect_entry_state(d.pop("state"))

        _done_at = d.pop("done_at", UNSET)
        done_at: datetime.datetime | Unset
        if isinstance(_done_at, Unset):
            done_at = UNSET
        else:
            done_at = isoparse(_done_at)

        reason = d.pop("reason", UNSET)

        effect_entry = cls(
            attempts=attempts,
            kind=kind,
            since=since,
            state=state,
            done_at=done_at,
            reason=reason,
        )

        return effect_entry
