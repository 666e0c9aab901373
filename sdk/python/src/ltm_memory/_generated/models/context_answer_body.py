from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.message_entry import MessageEntry


T = TypeVar("T", bound="ContextAnswerBody")


@_attrs_define
class ContextAnswerBody:
    """
    Attributes:
        messages (list[MessageEntry]):
        thread_id (str):
    """

    messages: list[MessageEntry]
    thread_id: str

    def to_dict(self) -> dict[str, Any]:
        messages = []
        for messages_item_data in self.messages:
            messages_item = messages_item_data.to_dict()
            messages.append(messages_item)

        thread_id = self.thread_id

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "messages": messages,
                "thread_id": thread_id,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.message_entry import MessageEntry

        d = dict(src_dict)
        messages = []
        _messages = d.pop("messages")
        for messages_item_data in _messages:
            messages_item = MessageEntry.from_dict(messages_item_data)

            messages.append(messages_item)

        thread_id = d.pop("thread_id")

        context_answer_body = cls(
            messages=messages,
            thread_id=thread_id,
        )

        return context_answer_body
