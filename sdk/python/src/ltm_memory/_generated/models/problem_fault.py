from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="ProblemFault")


@_attrs_define
class ProblemFault:
    """
    Attributes:
        detail (str):
        kind (str):
        pointer (str): JSON pointer (RFC 6901); empty: the document.
    """

    detail: str
    kind: str
    pointer: str

    def to_dict(self) -> dict[str, Any]:
        detail = self.detail

        kind = self.kind

        pointer = self.pointer

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "detail": detail,
                "kind": kind,
                "pointer": pointer,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        detail = d.pop("detail")

        kind = d.pop("kind")

        pointer = d.pop("pointer")

        problem_fault = cls(
            detail=detail,
            kind=kind,
            pointer=pointer,
        )

        return problem_fault
