from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.hit_entry import HitEntry


T = TypeVar("T", bound="SearchAnswerBody")


@_attrs_define
class SearchAnswerBody:
    """
    Attributes:
        results (list[HitEntry]): The best first.
        user_id (str | Unset): Absent if the request names only a thread.
    """

    results: list[HitEntry]
    user_id: str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        results = []
        for results_item_data in self.results:
            results_item = results_item_data.to_dict()
            results.append(results_item)

        user_id = self.user_id

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "results": results,
            }
        )
        if user_id is not UNSET:
            field_dict["user_id"] = user_id

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.hit_entry import HitEntry

        d = dict(src_dict)
        results = []
        _results = d.pop("results")
        for results_item_data in _results:
            results_item = HitEntry.from_dict(results_item_data)

            results.append(results_item)

        user_id = d.pop("user_id", UNSET)

        search_answer_body = cls(
            results=results,
            user_id=user_id,
        )

        return search_answer_body
