from typing import Literal, cast

ChangeEntryKind = Literal["claim", "event", "reaction", "summary", "thread", "user"]

CHANGE_ENTRY_KIND_VALUES: set[ChangeEntryKind] = {
    "claim",
    "event",
    "reaction",
    "summary",
    "thread",
    "user",
}


def check_change_entry_kind(value: str) -> ChangeEntryKind:
    if value in CHANGE_ENTRY_KIND_VALUES:
        return cast(ChangeEntryKind, value)
    raise TypeError(f"Unexpected value {value!r}. Expected one of {CHANGE_ENTRY_KIND_VALUES!r}")
