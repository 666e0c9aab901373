from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.event_entry import EventEntry


T = TypeVar("T", bound="ListEventsAnswerBody")


@_attrs_define
class ListEventsAnswerBody:
    """
    Attributes:
        messages (list[EventEntry]):
        thread_id (str):
        next_ (str | Unset): The cursor of the page before this one in time. Absent: this begins the thread.
    """

    messages: list[EventEntry]
    thread_id: str
    next_: str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        messages = []
        for messages_item_data in self.messages:
            messages_item = messages_item_data.to_dict()
            messages.append(messages_item)

        thread_id = self.thread_id

        next_ = self.next_

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "messages": messages,
                "thread_id": thread_id,
            }
        )
        if next_ is not UNSET:
            field_dict["next"] = next_

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.event_entry import EventEntry

        d = dict(src_dict)
        messages = []
        _messages = d.pop("messages")
        for messages_item_data in _messages:
            messages_item = EventEntry.from_dict(messages_item_data)

            messages.append(messages_item)

        thread_id = d.pop("thread_id")

        next_ = d.pop("next", UNSET)

        list_events_answer_body = cls(
            messages=messages,
            thread_id=thread_id,
            next_=next_,
        )

        return list_events_answer_body
