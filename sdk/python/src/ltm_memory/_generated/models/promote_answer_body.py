from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define

T = TypeVar("T", bound="PromoteAnswerBody")


@_attrs_define
class PromoteAnswerBody:
    """
    Attributes:
        is_core_memory (bool):
        ok (bool):
        summary (None | str):
        summary_updated (bool):
        thread_id (str):
    """

    is_core_memory: bool
    ok: bool
    summary: None | str
    summary_updated: bool
    thread_id: str

    def to_dict(self) -> dict[str, Any]:
        is_core_memory = self.is_core_memory

        ok = self.ok

        summary: None | str
        summary = self.summary

        summary_updated = self.summary_updated

        thread_id = self.thread_id

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "is_core_memory": is_core_memory,
                "ok": ok,
                "summary": summary,
                "summary_updated": summary_updated,
                "thread_id": thread_id,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        is_core_memory = d.pop("is_core_memory")

        ok = d.pop("ok")

        def _parse_summary(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        summary = _parse_summary(d.pop("summary"))

        summary_updated = d.pop("summary_updated")

        thread_id = d.pop("thread_id")

        promote_answer_body = cls(
            is_core_memory=is_core_memory,
            ok=ok,
            summary=summary,
            summary_updated=summary_updated,
            thread_id=thread_id,
        )

        return promote_answer_body
