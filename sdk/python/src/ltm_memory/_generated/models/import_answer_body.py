from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.import_answer_body_added import ImportAnswerBodyAdded


T = TypeVar("T", bound="ImportAnswerBody")


@_attrs_define
class ImportAnswerBody:
    """
    Attributes:
        added (ImportAnswerBodyAdded): How many rows of which kind are new.
        user_id (str):
    """

    added: ImportAnswerBodyAdded
    user_id: str

    def to_dict(self) -> dict[str, Any]:
        added = self.added.to_dict()

        user_id = self.user_id

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "added": added,
                "user_id": user_id,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.import_answer_body_added import ImportAnswerBodyAdded

        d = dict(src_dict)
        added = ImportAnswerBodyAdded.from_dict(d.pop("added"))

        user_id = d.pop("user_id")

        import_answer_body = cls(
            added=added,
            user_id=user_id,
        )

        return import_answer_body
