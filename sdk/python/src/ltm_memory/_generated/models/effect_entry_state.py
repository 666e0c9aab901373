from typing import Literal, cast

EffectEntryState = Literal["done", "failed", "pending", "skipped"]

EFFECT_ENTRY_STATE_VALUES: set[EffectEntryState] = {
    "done",
    "failed",
    "pending",
    "skipped",
}


def check_effect_entry_state(value: str) -> EffectEntryState:
    if value in EFFECT_ENTRY_STATE_VALUES:
        return cast(EffectEntryState, value)
    raise TypeError(f"Unexpected value {value!r}. Expected one of {EFFECT_ENTRY_STATE_VALUES!r}")
