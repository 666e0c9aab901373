from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from dateutil.parser import isoparse

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.filter_ import Filter


T = TypeVar("T", bound="RetrieveBody")


@_attrs_define
class RetrieveBody:
    """
    Attributes:
        query (str):
        as_of (datetime.datetime | Unset): As if it were then. Default: now.
        budget (int | None | Unset): Tokens of the whole context, 1 to 100,000. Default: 1,000.
        explain (bool | Unset): Also say why each block is there.
        filter_ (Filter | Unset):
        kinds (list[str] | Unset): Of event, summary, claim and memory. Default: all, or those that have all fields of
            the filter.
        limit (int | None | Unset): How many hits are looked at, 1 to 100. Default: as many as the budget needs.
        recent (int | None | Unset): How many of the newest events of the thread come along, 0 to 200. Default: none.
        thread_id (str | Unset): Only this thread.
        threshold (float | Unset): The least score of a hit. Default: 0.
        user_id (str | Unset): Whose memory. Required, but with thread_id or a user's token.
    """

    query: str
    as_of: datetime.datetime | Unset = UNSET
    budget: int | None | Unset = UNSET
    explain: bool | Unset = UNSET
    filter_: Filter | Unset = UNSET
    kinds: list[str] | Unset = UNSET
    limit: int | None | Unset = UNSET
    recent: int | None | Unset = UNSET
    thread_id: str | Unset = UNSET
    threshold: float | Unset = UNSET
    user_id: str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        query = self.query

        as_of: str | Unset = UNSET
        if not isinstance(self.as_of, Unset):
            as_of = self.as_of.isoformat()

        budget: int | None | Unset
        if isinstance(self.budget, Unset):
            budget = UNSET
        else:
            budget = self.budget

        explain = self.explain

        filter_: dict[str, Any] | Unset = UNSET
        if not isinstance(self.filter_, Unset):
            filter_ = self.filter_.to_dict()

        kinds: list[str] | Unset = UNSET
        if not isinstance(self.kinds, Unset):
            kinds = self.kinds

        limit: int | None | Unset
        if isinstance(self.limit, Unset):
            limit = UNSET
        else:
            limit = self.limit

        recent: int | None | Unset
        if isinstance(self.recent, Unset):
            recent = UNSET
        else:
            recent = self.recent

        thread_id = self.thread_id

        threshold = self.threshold

        user_id = self.user_id

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "query": query,
            }
        )
        if as_of is not UNSET:
            field_dict["as_of"] = as_of
        if budget is not UNSET:
            field_dict["budget"] = budget
        if explain is not UNSET:
            field_dict["explain"] = explain
        if filter_ is not UNSET:
            field_dict["filter"] = filter_
        if kinds is not UNSET:
            field_dict["kinds"] = kinds
        if limit is not UNSET:
            field_dict["limit"] = limit
        if recent is not UNSET:
            field_dict["recent"] = recent
        if thread_id is not UNSET:
            field_dict["thread_id"] = thread_id
        if threshold is not UNSET:
            field_dict["threshold"] = threshold
        if user_id is not UNSET:
            field_dict["user_id"] = user_id

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.filter_ import Filter

        d = dict(src_dict)
        query = d.pop("query")

        _as_of = d.pop("as_of", UNSET)
        as_of: datetime.datetime | Unset
        if isinstance(_as_of, Unset):
            as_of = UNSET
        else:
            as_of = isoparse(_as_of)

        def _parse_budget(data: object) -> int | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(int | None | Unset, data)

        budget = _parse_budget(d.pop("budget", UNSET))

        explain = d.pop("explain", UNSET)

        _filter_ = d.pop("filter", UNSET)
        filter_: Filter | Unset
        if isinstance(_filter_, Unset):
            filter_ = UNSET
        else:
            filter_ = Filter.from_dict(_filter_)

        kinds = cast(list[str], d.pop("kinds", UNSET))

        def _parse_limit(data: object) -> int | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(int | None | Unset, data)

        limit = _parse_limit(d.pop("limit", UNSET))

        def _parse_recent(data: object) -> int | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(int | None | Unset, data)

        recent = _parse_recent(d.pop("recent", UNSET))

        thread_id = d.pop("thread_id", UNSET)

        threshold = d.pop("threshold", UNSET)

        user_id = d.pop("user_id", UNSET)

        retrieve_body = cls(
            query=query,
            as_of=as_of,
            budget=budget,
            explain=explain,
            filter_=filter_,
            kinds=kinds,
            limit=limit,
            recent=recent,
            thread_id=thread_id,
            threshold=threshold,
            user_id=user_id,
        )

        return retrieve_body
