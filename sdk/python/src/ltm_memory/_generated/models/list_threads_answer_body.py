from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.thread_entry import ThreadEntry


T = TypeVar("T", bound="ListThreadsAnswerBody")


@_attrs_define
class ListThreadsAnswerBody:
    """
    Attributes:
        threads (list[ThreadEntry]):
        user_id (str):
        next_ (str | Unset): The cursor of the next page. Absent: this is the last.
    """

    threads: list[ThreadEntry]
    user_id: str
    next_: str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        threads = []
        for threads_item_data in self.threads:
            threads_item = threads_item_data.to_dict()
            threads.append(threads_item)

        user_id = self.user_id

        next_ = self.next_

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "threads": threads,
                "user_id": user_id,
            }
        )
        if next_ is not UNSET:
            field_dict["next"] = next_

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.thread_entry import ThreadEntry

        d = dict(src_dict)
        threads = []
        _threads = d.pop("threads")
        for threads_item_data in _threads:
            threads_item = ThreadEntry.from_dict(threads_item_data)

            threads.append(threads_item)

        user_id = d.pop("user_id")

        next_ = d.pop("next", UNSET)

        list_threads_answer_body = cls(
            threads=threads,
            user_id=user_id,
            next_=next_,
        )

        return list_threads_answer_body
