from typing import Literal, cast

LeftEntrySource = Literal["background", "claim", "hit", "memory", "reaction", "recent", "summary"]

LEFT_ENTRY_SOURCE_VALUES: set[LeftEntrySource] = {
    "background",
    "claim",
    "hit",
    "memory",
    "reaction",
    "recent",
    "summary",
}


def check_left_entry_source(value: str) -> LeftEntrySource:
    if value in LEFT_ENTRY_SOURCE_VALUES:
        return cast(LeftEntrySource, value)
    raise TypeError(f"Unexpected value {value!r}. Expected one of {LEFT_ENTRY_SOURCE_VALUES!r}")
