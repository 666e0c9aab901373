from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="RenameAnswerBody")


@_attrs_define
class RenameAnswerBody:
    """
    Attributes:
        ok (bool):
        thread_id (str):
        title (str):
    """

    ok: bool
    thread_id: str
    title: str

    def to_dict(self) -> dict[str, Any]:
        ok = self.ok

        thread_id = self.thread_id

        title = self.title

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "ok": ok,
                "thread_id": thread_id,
                "title": title,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        ok = d.pop("ok")

        thread_id = d.pop("thread_id")

        title = d.pop("title")

        rename_answer_body = cls(
            ok=ok,
            thread_id=thread_id,
            title=title,
        )

        return rename_answer_body
