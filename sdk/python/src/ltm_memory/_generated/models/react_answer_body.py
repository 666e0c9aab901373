from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define

T = TypeVar("T", bound="ReactAnswerBody")


@_attrs_define
class ReactAnswerBody:
    """
    Attributes:
        event_id (str):
        ok (bool):
        reaction (None | str):
        summary_updated (bool):
        thread_id (str):
    """

    event_id: str
    ok: bool
    reaction: None | str
    summary_updated: bool
    thread_id: str

    def to_dict(self) -> dict[str, Any]:
        event_id = self.event_id

        ok = self.ok

        reaction: None | str
        reaction = self.reaction

        summary_updated = self.summary_updated

        thread_id = self.thread_id

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "event_id": event_id,
                "ok": ok,
                "reaction": reaction,
                "summary_updated": summary_updated,
                "thread_id": thread_id,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        event_id = d.pop("event_id")

        ok = d.pop("ok")

        def _parse_reaction(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        reaction = _parse_reaction(d.pop("reaction"))

        summary_updated = d.pop("summary_updated")

        thread_id = d.pop("thread_id")

        react_answer_body = cls(
            event_id=event_id,
            ok=ok,
            reaction=reaction,
            summary_updated=summary_updated,
            thread_id=thread_id,
        )

        return react_answer_body
