from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.filter_range import FilterRange


T = TypeVar("T", bound="Filter")


@_attrs_define
class Filter:
    """
    Attributes:
        and_ (list[Filter] | None | Unset): All of these.
        eq (Any | Unset): It has this value.
        exists (bool | Unset): It has a value, or has none.
        field (str | Unset): A field, or meta.KEY with a key that the application declares.
        in_ (list[Any] | None | Unset): It has one of these values.
        not_ (Filter | Unset):
        or_ (list[Filter] | None | Unset): One of these at least.
        range_ (FilterRange | Unset):
    """

    and_: list[Filter] | None | Unset = UNSET
    eq: Any | Unset = UNSET
    exists: bool | Unset = UNSET
    field: str | Unset = UNSET
    in_: list[Any] | None | Unset = UNSET
    not_: Filter | Unset = UNSET
    or_: list[Filter] | None | Unset = UNSET
    range_: FilterRange | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        and_: list[dict[str, Any]] | None | Unset
        if isinstance(self.and_, Unset):
            and_ = UNSET
        elif isinstance(self.and_, list):
            and_ = []
            for and_type_0_item_data in self.and_:
                and_type_0_item = and_type_0_item_data.to_dict()
                and_.append(and_type_0_item)

        else:
            and_ = self.and_

        eq = self.eq

        exists = self.exists

        field = self.field

        in_: list[Any] | None | Unset
        if isinstance(self.in_, Unset):
            in_ = UNSET
        elif isinstance(self.in_, list):
            in_ = self.in_

        else:
            in_ = self.in_

        not_: dict[str, Any] | Unset = UNSET
        if not isinstance(self.not_, Unset):
            not_ = self.not_.to_dict()

        or_: list[dict[str, Any]] | None | Unset
        if isinstance(self.or_, Unset):
            or_ = UNSET
        elif isinstance(self.or_, list):
            or_ = []
            for or_type_0_item_data in self.or_:
                or_type_0_item = or_type_0_item_data.to_dict()
                or_.append(or_type_0_item)

        else:
            or_ = self.or_

        range_: dict[str, Any] | Unset = UNSET
        if not isinstance(self.range_, Unset):
            range_ = self.range_.to_dict()

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if and_ is not UNSET:
            field_dict["and"] = and_
        if eq is not UNSET:
            field_dict["eq"] = eq
        if exists is not UNSET:
            field_dict["exists"] = exists
        if field is not UNSET:
            field_dict["field"] = field
        if in_ is not UNSET:
            field_dict["in"] = in_
        if not_ is not UNSET:
            field_dict["not"] = not_
        if or_ is not UNSET:
            field_dict["or"] = or_
        if range_ is not UNSET:
            field_dict["range"] = range_

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.filter_range import FilterRange

        d = dict(src_dict)

        def _parse_and_(data: object) -> list[Filter] | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, list):
                    raise TypeError()
                and_type_0 = []
                _and_type_0 = data
                for and_type_0_item_data in _and_type_0:
                    and_type_0_item = Filter.from_dict(and_type_0_item_data)

                    and_type_0.append(and_type_0_item)

                return and_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(list[Filter] | None | Unset, data)

        and_ = _parse_and_(d.pop("and", UNSET))

        eq = d.pop("eq", UNSET)

        exists = d.pop("exists", UNSET)

        field = d.pop("field", UNSET)

        def _parse_in_(data: object) -> list[Any] | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, list):
                    raise TypeError()
                in_type_0 = cast(list[Any], data)

                return in_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(list[Any] | None | Unset, data)

        in_ = _parse_in_(d.pop("in", UNSET))

        _not_ = d.pop("not", UNSET)
        not_: Filter | Unset
        if isinstance(_not_, Unset):
            not_ = UNSET
        else:
            not_ = Filter.from_dict(_not_)

        def _parse_or_(data: object) -> list[Filter] | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, list):
                    raise TypeError()
                or_type_0 = []
                _or_type_0 = data
                for or_type_0_item_data in _or_type_0:
                    or_type_0_item = Filter.from_dict(or_type_0_item_data)

                    or_type_0.append(or_type_0_item)

                return or_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(list[Filter] | None | Unset, data)

        or_ = _parse_or_(d.pop("or", UNSET))

        _range_ = d.pop("range", UNSET)
        range_: FilterRange | Unset
        if isinstance(_range_, Unset):
            range_ = UNSET
        else:
            range_ = FilterRange.from_dict(_range_)

        filter_ = cls(
            and_=and_,
            eq=eq,
            exists=exists,
            field=field,
            in_=in_,
            not_=not_,
            or_=or_,
            range_=range_,
        )

        return filter_
