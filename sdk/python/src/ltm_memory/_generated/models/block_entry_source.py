from typing import Literal, cast

BlockEntrySource = Literal["background", "claim", "hit", "memory", "reaction", "recent", "summary"]

BLOCK_ENTRY_SOURCE_VALUES: set[BlockEntrySource] = {
    "background",
    "claim",
    "hit",
    "memory",
    "reaction",
    "recent",
    "summary",
}


def check_block_entry_source(value: str) -> BlockEntrySource:
    if value in BLOCK_ENTRY_SOURCE_VALUES:
        return cast(BlockEntrySource, value)
    raise TypeError(f"Unexpected value {value!r}. Expected one of {BLOCK_ENTRY_SOURCE_VALUES!r}")
