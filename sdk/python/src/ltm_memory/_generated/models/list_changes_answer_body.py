from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.change_entry import ChangeEntry


T = TypeVar("T", bound="ListChangesAnswerBody")


@_attrs_define
class ListChangesAnswerBody:
    """
    Attributes:
        changes (list[ChangeEntry]):
        next_ (str): What to give as after to go on.
    """

    changes: list[ChangeEntry]
    next_: str

    def to_dict(self) -> dict[str, Any]:
        changes = []
        for changes_item_data in self.changes:
            changes_item = changes_item_data.to_dict()
            changes.append(changes_item)

        next_ = self.next_

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "changes": changes,
                "next": next_,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.change_entry import ChangeEntry

        d = dict(src_dict)
        changes = []
        _changes = d.pop("changes")
        for changes_item_data in _changes:
            changes_item = ChangeEntry.from_dict(changes_item_data)

            changes.append(changes_item)

        next_ = d.pop("next")

        list_changes_answer_body = cls(
            changes=changes,
            next_=next_,
        )

        return list_changes_answer_body
