from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define
from dateutil.parser import isoparse

from ..models.job_entry_kind import JobEntryKind, check_job_entry_kind
from ..models.job_entry_state import JobEntryState, check_job_entry_state
from ..types import UNSET, Unset

T = TypeVar("T", bound="JobEntry")


@_attrs_define
class JobEntry:
    """
    Attributes:
        attempts (int):
        created_at (datetime.datetime):
        kind (JobEntryKind):
        of (str): What it is about: an event, a summary, a claim or a thread.
        of_id (str):
        run_at (datetime.datetime): Not before.
        state (JobEntryState):
        user_id (str):
        done_at (datetime.datetime | Unset):
        event_id (str | Unset): The event that set it off.
        reason (str | Unset): Why it was skipped, failed, or waits again.
        thread_id (str | Unset):
    """

    attempts: int
    created_at: datetime.datetime
    kind: JobEntryKind
    of: str
    of_id: str
    run_at: datetime.datetime
    state: JobEntryState
    user_id: str
    done_at: datetime.datetime | Unset = UNSET
    event_id: str | Unset = UNSET
    reason: str | Unset = UNSET
    thread_id: str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        attempts = self.attempts

        created_at = self.created_at.isoformat()

        kind: str = self.kind

        of = self.of

        of_id = self.of_id

        run_at = self.run_at.isoformat()

        state: str = self.state

        user_id = self.user_id

        done_at: str | Unset = UNSET
        if not isinstance(self.done_at, Unset):
            done_at = self.done_at.isoformat()

        event_id = self.event_id

        reason = self.reason

        thread_id = self.thread_id

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "attempts": attempts,
                "created_at": created_at,
                "kind": kind,
                "of": of,
                "of_id": of_id,
                "run_at": run_at,
                "state": state,
                "user_id": user_id,
            }
        )
        if done_at is not UNSET:
            field_dict["done_at"] = done_at
        if event_id is not UNSET:
            field_dict["event_id"] = event_id
        if reason is not UNSET:
            field_dict["reason"] = reason
        if thread_id is not UNSET:
            field_dict["thread_id"] = thread_id

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        attempts = d.pop("attempts")

        created_at = isoparse(d.pop("created_at"))

        kind = check_job_entry_kind(d.pop("kind"))

        of = d.pop("of")

        of_id = d.pop("of_id")

        run_at = isoparse(d.pop("run_at"))

        state = check_job_entry_state(d.pop("state"))

        user_id = d.pop("user_id")

        _done_at = d.pop("done_at", UNSET)
        done_at: datetime.datetime | Unset
        if isinstance(_done_at, Unset):
            done_at = UNSET
        else:
            done_at = isoparse(_done_at)

        event_id = d.pop("event_id", UNSET)

        reason = d.pop("reason", UNSET)

        thread_id = d.pop("thread_id", UNSET)

        job_entry = cls(
            attempts=attempts,
            created_at=created_at,
            kind=kind,
            of=of,
            of_id=of_id,
            run_at=run_at,
            state=state,
            user_id=user_id,
            done_at=done_at,
            event_id=event_id,
            reason=reason,
            thread_id=thread_id,
        )

        return job_entry
