from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define

T = TypeVar("T", bound="SummaryAnswerBody")


@_attrs_define
class SummaryAnswerBody:
    """
    Attributes:
        summary (None | str):
        thread_id (str):
    """

    summary: None | str
    thread_id: str

    def to_dict(self) -> dict[str, Any]:
        summary: None | str
        summary = self.summary

        thread_id = self.thread_id

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "summary": summary,
                "thread_id": thread_id,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)

        def _parse_summary(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        summary = _parse_summary(d.pop("summary"))

        thread_id = d.pop("thread_id")

        summary_answer_body = cls(
            summary=summary,
            thread_id=thread_id,
        )

        return summary_answer_body
