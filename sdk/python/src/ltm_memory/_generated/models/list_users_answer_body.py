from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="ListUsersAnswerBody")


@_attrs_define
class ListUsersAnswerBody:
    """
    Attributes:
        users (list[str]):
        next_ (str | Unset): The cursor of the next page. Absent: this is the last.
    """

    users: list[str]
    next_: str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        users = self.users

        next_ = self.next_

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "users": users,
            }
        )
        if next_ is not UNSET:
            field_dict["next"] = next_

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        users = cast(list[str], d.pop("users"))

        next_ = d.pop("next", UNSET)

        list_users_answer_body = cls(
            users=users,
            next_=next_,
        )

        return list_users_answer_body
