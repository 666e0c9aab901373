from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.block_entry import BlockEntry
    from ..models.left_entry import LeftEntry
    from ..models.message_entry import MessageEntry
    from ..models.stores_entry import StoresEntry


T = TypeVar("T", bound="RetrieveAnswerBody")


@_attrs_define
class RetrieveAnswerBody:
    """
    Attributes:
        blocks (list[BlockEntry]): What the context consists of.
        left_out (list[LeftEntry]):
        memory (str): The block for a model, fenced as data; empty if there is none.
        recent (list[MessageEntry]): The newest events, the oldest first.
        tokens (int): The size of both, as estimated.
        empty (str | Unset): Why there is nothing, if there is nothing.
        notes (list[str] | Unset): What is missing, such as a store that is not there.
        stores (StoresEntry | Unset):
        user_id (str | Unset): Absent if the request names only a thread.
    """

    blocks: list[BlockEntry]
    left_out: list[LeftEntry]
    memory: str
    recent: list[MessageEntry]
    tokens: int
    empty: str | Unset = UNSET
    notes: list[str] | Unset = UNSET
    stores: StoresEntry | Unset = UNSET
    user_id: str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        blocks = []
        for blocks_item_data in self.blocks:
            blocks_item = blocks_item_data.to_dict()
            blocks.append(blocks_item)

        left_out = []
        for left_out_item_data in self.left_out:
            left_out_item = left_out_item_data.to_dict()
            left_out.append(left_out_item)

        memory = self.memory

        recent = []
        for recent_item_data in self.recent:
            recent_item = recent_item_data.to_dict()
            recent.append(recent_item)

        tokens = self.tokens

        empty = self.empty

        notes: list[str] | Unset = UNSET
        if not isinstance(self.notes, Unset):
            notes = self.notes

        stores: dict[str, Any] | Unset = UNSET
        if not isinstance(self.stores, Unset):
            stores = self.stores.to_dict()

        user_id = self.user_id

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "blocks": blocks,
                "left_out": left_out,
                "memory": memory,
                "recent": recent,
                "tokens": tokens,
            }
        )
        if empty is not UNSET:
            field_dict["empty"] = empty
        if notes is not UNSET:
            field_dict["notes"] = notes
        if stores is not UNSET:
            field_dict["stores"] = stores
        if user_id is not UNSET:
            field_dict["user_id"] = user_id

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.block_entry import BlockEntry
        from ..models.left_entry import LeftEntry
        from ..models.message_entry import MessageEntry
        from ..models.stores_entry import StoresEntry

        d = dict(src_dict)
        blocks = []
        _blocks = d.pop("blocks")
        for blocks_item_data in _blocks:
            blocks_item = BlockEntry.from_dict(blocks_item_data)

            blocks.append(blocks_item)

        left_out = []
        _left_out = d.pop("left_out")
        for left_out_item_data in _left_out:
            left_out_item = LeftEntry.from_dict(left_out_item_data)

            left_out.append(left_out_item)

        memory = d.pop("memory")

        recent = []
        _recent = d.pop("recent")
        for recent_item_data in _recent:
            recent_item = MessageEntry.from_dict(recent_item_data)

            recent.append(recent_item)

        tokens = d.pop("tokens")

        empty = d.pop("empty", UNSET)

        notes = cast(list[str], d.pop("notes", UNSET))

        _stores = d.pop("stores", UNSET)
        stores: StoresEntry | Unset
        if isinstance(_stores, Unset):
            stores = UNSET
        else:
            stores = StoresEntry.from_dict(_stores)

        user_id = d.pop("user_id", UNSET)

        retrieve_answer_body = cls(
            blocks=blocks,
            left_out=left_out,
            memory=memory,
            recent=recent,
            tokens=tokens,
            empty=empty,
            notes=notes,
            stores=stores,
            user_id=user_id,
        )

        return retrieve_answer_body
