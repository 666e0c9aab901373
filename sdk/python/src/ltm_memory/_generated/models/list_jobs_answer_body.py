from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.job_entry import JobEntry


T = TypeVar("T", bound="ListJobsAnswerBody")


@_attrs_define
class ListJobsAnswerBody:
    """
    Attributes:
        jobs (list[JobEntry]):
        next_ (str | Unset): The cursor of the next page. Absent: this is the last.
    """

    jobs: list[JobEntry]
    next_: str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        jobs = []
        for jobs_item_data in self.jobs:
            jobs_item = jobs_item_data.to_dict()
            jobs.append(jobs_item)

        next_ = self.next_

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "jobs": jobs,
            }
        )
        if next_ is not UNSET:
            field_dict["next"] = next_

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.job_entry import JobEntry

        d = dict(src_dict)
        jobs = []
        _jobs = d.pop("jobs")
        for jobs_item_data in _jobs:
            jobs_item = JobEntry.from_dict(jobs_item_data)

            jobs.append(jobs_item)

        next_ = d.pop("next", UNSET)

        list_jobs_answer_body = cls(
            jobs=jobs,
            next_=next_,
        )

        return list_jobs_answer_body
