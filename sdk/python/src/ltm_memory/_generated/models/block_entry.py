from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define

from ..models.block_entry_source import BlockEntrySource, check_block_entry_source
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.against_entry import AgainstEntry


T = TypeVar("T", bound="BlockEntry")


@_attrs_define
class BlockEntry:
    """
    Attributes:
        id (str):
        kind (str):
        score (float):
        source (BlockEntrySource):
        text (str):
        against (list[AgainstEntry] | Unset): Of a claim: those that contradict it; of a message: the claim that holds
            instead.
        path (str | Unset): Of a memory: its file, within the store.
        reasons (list[str] | Unset): Only with explain.
        store (str | Unset): Of a memory: the name of its store.
        thread_id (str | Unset):
        topic (str | Unset): Of a memory.
    """

    id: str
    kind: str
    score: float
    source: BlockEntrySource
    text: str
    against: list[AgainstEntry] | Unset = UNSET
    path: str | Unset = UNSET
    reasons: list[str] | Unset = UNSET
    store: str | Unset = UNSET
    thread_id: str | Unset = UNSET
    topic: str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        kind = self.kind

        score = self.score

        source: str = self.source

        text = self.text

        against: list[dict[str, Any]] | Unset = UNSET
        if not isinstance(self.against, Unset):
            against = []
            for against_item_data in self.against:
                against_item = against_item_data.to_dict()
                against.append(against_item)

        path = self.path

        reasons: list[str] | Unset = UNSET
        if not isinstance(self.reasons, Unset):
            reasons = self.reasons

        store = self.store

        thread_id = self.thread_id

        topic = self.topic

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "kind": kind,
                "score": score,
                "source": source,
                "text": text,
            }
        )
        if against is not UNSET:
            field_dict["against"] = against
        if path is not UNSET:
            field_dict["path"] = path
        if reasons is not UNSET:
            field_dict["reasons"] = reasons
        if store is not UNSET:
            field_dict["store"] = store
        if thread_id is not UNSET:
            field_dict["thread_id"] = thread_id
        if topic is not UNSET:
            field_dict["topic"] = topic

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.against_entry import AgainstEntry

        d = dict(src_dict)
        id = d.pop("id")

        kind = d.pop("kind")

        score = d.pop("score")

        source = check_block_entry_source(d.pop("source"))

        text = d.pop("text")

        _against = d.pop("against", UNSET)
        against: list[AgainstEntry] | Unset = UNSET
        if _against is not UNSET:
            against = []
            for against_item_data in _against:
                against_item = AgainstEntry.from_dict(against_item_data)

                against.append(against_item)

        path = d.pop("path", UNSET)

        reasons = cast(list[str], d.pop("reasons", UNSET))

        store = d.pop("store", UNSET)

        thread_id = d.pop("thread_id", UNSET)

        topic = d.pop("topic", UNSET)

        block_entry = cls(
            id=id,
            kind=kind,
            score=score,
            source=source,
            text=text,
            against=against,
            path=path,
            reasons=reasons,
            store=store,
            thread_id=thread_id,
            topic=topic,
        )

        return block_entry
