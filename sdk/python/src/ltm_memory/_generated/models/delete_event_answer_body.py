from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.delete_event_answer_body_rows import DeleteEventAnswerBodyRows


T = TypeVar("T", bound="DeleteEventAnswerBody")


@_attrs_define
class DeleteEventAnswerBody:
    """
    Attributes:
        deleted (bool):
        event_id (str):
        rows (DeleteEventAnswerBodyRows | Unset): How many rows of which kind went.
    """

    deleted: bool
    event_id: str
    rows: DeleteEventAnswerBodyRows | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        deleted = self.deleted

        event_id = self.event_id

        rows: dict[str, Any] | Unset = UNSET
        if not isinstance(self.rows, Unset):
            rows = self.rows.to_dict()

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "deleted": deleted,
                "event_id": event_id,
            }
        )
        if rows is not UNSET:
            field_dict["rows"] = rows

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.delete_event_answer_body_rows import DeleteEventAnswerBodyRows

        d = dict(src_dict)
        deleted = d.pop("deleted")

        event_id = d.pop("event_id")

        _rows = d.pop("rows", UNSET)
        rows: DeleteEventAnswerBodyRows | Unset
        if isinstance(_rows, Unset):
            rows = UNSET
        else:
            rows = DeleteEventAnswerBodyRows.from_dict(_rows)

        delete_event_answer_body = cls(
            deleted=deleted,
            event_id=event_id,
            rows=rows,
        )

        return delete_event_answer_body
