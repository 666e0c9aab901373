from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.batch_row import BatchRow


T = TypeVar("T", bound="AddEventsAnswerBody")


@_attrs_define
class AddEventsAnswerBody:
    """
    Attributes:
        added (int): How many are new.
        rows (list[BatchRow]): One for each event, in the order of the request.
        thread_id (str):
    """

    added: int
    rows: list[BatchRow]
    thread_id: str

    def to_dict(self) -> dict[str, Any]:
        added = self.added

        rows = []
        for rows_item_data in self.rows:
            rows_item = rows_item_data.to_dict()
            rows.append(rows_item)

        thread_id = self.thread_id

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "added": added,
                "rows": rows,
                "thread_id": thread_id,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.batch_row import BatchRow

        d = dict(src_dict)
        added = d.pop("added")

        rows = []
        _rows = d.pop("rows")
        for rows_item_data in _rows:
            rows_item = BatchRow.from_dict(rows_item_data)

            rows.append(rows_item)

        thread_id = d.pop("thread_id")

        add_events_answer_body = cls(
            added=added,
            rows=rows,
            thread_id=thread_id,
        )

        return add_events_answer_body
