from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.problem_fault import ProblemFault


T = TypeVar("T", bound="Problem")


@_attrs_define
class Problem:
    """
    Attributes:
        detail (str): What was wrong with this request, and what is allowed.
        error (str): The same as detail, or the error code of OAuth in the device flow.
        status (int): The HTTP status.
        title (str): The kind of problem, in words.
        type_ (str): The kind of problem, as a link into the readable page.
        errors (list[ProblemFault] | None | Unset): All faults of a packet.
        request_id (str | Unset): Names the request in the server's log.
    """

    detail: str
    error: str
    status: int
    title: str
    type_: str
    errors: list[ProblemFault] | None | Unset = UNSET
    request_id: str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        detail = self.detail

        error = self.error

        status = self.status

        title = self.title

        type_ = self.type_

        errors: list[dict[str, Any]] | None | Unset
        if isinstance(self.errors, Unset):
            errors = UNSET
        elif isinstance(self.errors, list):
            errors = []
            for errors_type_0_item_data in self.errors:
                errors_type_0_item = errors_type_0_item_data.to_dict()
                errors.append(errors_type_0_item)

        else:
            errors = self.errors

        request_id = self.request_id

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "detail": detail,
                "error": error,
                "status": status,
                "title": title,
                "type": type_,
            }
        )
        if errors is not UNSET:
            field_dict["errors"] = errors
        if request_id is not UNSET:
            field_dict["request_id"] = request_id

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.problem_fault import ProblemFault

        d = dict(src_dict)
        detail = d.pop("detail")

        error = d.pop("error")

        status = d.pop("status")

        title = d.pop("title")

        type_ = d.pop("type")

        def _parse_errors(data: object) -> list[ProblemFault] | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, list):
                    raise TypeError()
                errors_type_0 = []
                _errors_type_0 = data
                for errors_type_0_item_data in _errors_type_0:
                    errors_type_0_item = ProblemFault.from_dict(errors_type_0_item_data)

                    errors_type_0.append(errors_type_0_item)

                return errors_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(list[ProblemFault] | None | Unset, data)

        errors = _parse_errors(d.pop("errors", UNSET))

        request_id = d.pop("request_id", UNSET)

        problem = cls(
            detail=detail,
            error=error,
            status=status,
            title=title,
            type_=type_,
            errors=errors,
            request_id=request_id,
        )

        return problem
