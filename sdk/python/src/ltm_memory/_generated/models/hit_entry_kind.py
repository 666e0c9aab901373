from typing import Literal, cast

HitEntryKind = Literal["claim", "event", "summary"]

HIT_ENTRY_KIND_VALUES: set[HitEntryKind] = {
    "claim",
    "event",
    "summary",
}


def check_hit_entry_kind(value: str) -> HitEntryKind:
    if value in HIT_ENTRY_KIND_VALUES:
        return cast(HitEntryKind, value)
    raise TypeError(f"Unexpected value {value!r}. Expected one of {HIT_ENTRY_KIND_VALUES!r}")
