from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="CreateThreadAnswerBody")


@_attrs_define
class CreateThreadAnswerBody:
    """
    Attributes:
        thread_id (str):
        user_id (str):
    """

    thread_id: str
    user_id: str

    def to_dict(self) -> dict[str, Any]:
        thread_id = self.thread_id

        user_id = self.user_id

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "thread_id": thread_id,
                "user_id": user_id,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        thread_id = d.pop("thread_id")

        user_id = d.pop("user_id")

        create_thread_answer_body = cls(
            thread_id=thread_id,
            user_id=user_id,
        )

        return create_thread_answer_body
