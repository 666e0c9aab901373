from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.summary_entry import SummaryEntry


T = TypeVar("T", bound="ListSummariesAnswerBody")


@_attrs_define
class ListSummariesAnswerBody:
    """
    Attributes:
        summaries (list[SummaryEntry]):
        thread_id (str):
    """

    summaries: list[SummaryEntry]
    thread_id: str

    def to_dict(self) -> dict[str, Any]:
        summaries = []
        for summaries_item_data in self.summaries:
            summaries_item = summaries_item_data.to_dict()
            summaries.append(summaries_item)

        thread_id = self.thread_id

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "summaries": summaries,
                "thread_id": thread_id,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.summary_entry import SummaryEntry

        d = dict(src_dict)
        summaries = []
        _summaries = d.pop("summaries")
        for summaries_item_data in _summaries:
            summaries_item = SummaryEntry.from_dict(summaries_item_data)

            summaries.append(summaries_item)

        thread_id = d.pop("thread_id")

        list_summaries_answer_body = cls(
            summaries=summaries,
            thread_id=thread_id,
        )

        return list_summaries_answer_body
