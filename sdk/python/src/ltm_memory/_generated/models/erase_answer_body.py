from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.erase_answer_body_rows import EraseAnswerBodyRows


T = TypeVar("T", bound="EraseAnswerBody")


@_attrs_define
class EraseAnswerBody:
    """
    Attributes:
        ok (bool):
        rows (EraseAnswerBodyRows): How many rows of which table went.
        user_id (str):
    """

    ok: bool
    rows: EraseAnswerBodyRows
    user_id: str

    def to_dict(self) -> dict[str, Any]:
        ok = self.ok

        rows = self.rows.to_dict()

        user_id = self.user_id

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "ok": ok,
                "rows": rows,
                "user_id": user_id,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.erase_answer_body_rows import EraseAnswerBodyRows

        d = dict(src_dict)
        ok = d.pop("ok")

        rows = EraseAnswerBodyRows.from_dict(d.pop("rows"))

        user_id = d.pop("user_id")

        erase_answer_body = cls(
            ok=ok,
            rows=rows,
            user_id=user_id,
        )

        return erase_answer_body
