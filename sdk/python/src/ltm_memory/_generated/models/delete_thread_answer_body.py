from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.delete_thread_answer_body_rows import DeleteThreadAnswerBodyRows


T = TypeVar("T", bound="DeleteThreadAnswerBody")


@_attrs_define
class DeleteThreadAnswerBody:
    """
    Attributes:
        deleted (bool): False: there was none that the caller could see.
        ok (bool):
        thread_id (str):
        rows (DeleteThreadAnswerBodyRows | Unset): How many rows of which kind went.
    """

    deleted: bool
    ok: bool
    thread_id: str
    rows: DeleteThreadAnswerBodyRows | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        deleted = self.deleted

        ok = self.ok

        thread_id = self.thread_id

        rows: dict[str, Any] | Unset = UNSET
        if not isinstance(self.rows, Unset):
            rows = self.rows.to_dict()

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "deleted": deleted,
                "ok": ok,
                "thread_id": thread_id,
            }
        )
        if rows is not UNSET:
            field_dict["rows"] = rows

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.delete_thread_answer_body_rows import DeleteThreadAnswerBodyRows

        d = dict(src_dict)
        deleted = d.pop("deleted")

        ok = d.pop("ok")

        thread_id = d.pop("thread_id")

        _rows = d.pop("rows", UNSET)
        rows: DeleteThreadAnswerBodyRows | Unset
        if isinstance(_rows, Unset):
            rows = UNSET
        else:
            rows = DeleteThreadAnswerBodyRows.from_dict(_rows)

        delete_thread_answer_body = cls(
            deleted=deleted,
            ok=ok,
            thread_id=thread_id,
            rows=rows,
        )

        return delete_thread_answer_body
