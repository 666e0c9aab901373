from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from dateutil.parser import isoparse

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.filter_ import Filter


T = TypeVar("T", bound="SearchBody")


@_attrs_define
class SearchBody:
    """
    Attributes:
        query (str):
        as_of (datetime.datetime | Unset): As if it were then. Default: now.
        filter_ (Filter | Unset):
        kinds (list[str] | Unset): Of event, summary and claim. Default: all, or those that have all fields of the
            filter.
        limit (int | None | Unset): How many hits, 1 to 100. Default: 10.
        thread_id (str | Unset): Only this thread.
        user_id (str | Unset): Whose memory. Required, but with thread_id or a user's token.
    """

    query: str
    as_of: datetime.datetime | Unset = UNSET
    filter_: Filter | Unset = UNSET
    kinds: list[str] | Unset = UNSET
    limit: int | None | Unset = UNSET
    thread_id: str | Unset = UNSET
    user_id: str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        query = self.query

        as_of: str | Unset = UNSET
        if not isinstance(self.as_of, Unset):
            as_of = self.as_of.isoformat()

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

        thread_id = self.thread_id

        user_id = self.user_id

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "query": query,
            }
        )
        if as_of is not UNSET:
            field_dict["as_of"] = as_of
        if filter_ is not UNSET:
            field_dict["filter"] = filter_
        if kinds is not UNSET:
            field_dict["kinds"] = kinds
        if limit is not UNSET:
            field_dict["limit"] = limit
        if thread_id is not UNSET:
            field_dict["thread_id"] = thread_id
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

        thread_id = d.pop("thread_id", UNSET)

        user_id = d.pop("user_id", UNSET)

        search_body = cls(
            query=query,
            as_of=as_of,
            filter_=filter_,
            kinds=kinds,
            limit=limit,
            thread_id=thread_id,
            user_id=user_id,
        )

        return search_body
