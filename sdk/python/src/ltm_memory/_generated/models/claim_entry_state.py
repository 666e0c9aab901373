from typing import Literal, cast

ClaimEntryState = Literal["active", "conflicted", "deprecated", "rejected", "suggested", "superseded"]

CLAIM_ENTRY_STATE_VALUES: set[ClaimEntryState] = {
    "active",
    "conflicted",
    "deprecated",
    "rejected",
    "suggested",
    "superseded",
}


def check_claim_entry_state(value: str) -> ClaimEntryState:
    if value in CLAIM_ENTRY_STATE_VALUES:
        return cast(ClaimEntryState, value)
    raise TypeError(f"Unexpected value {value!r}. Expected one of {CLAIM_ENTRY_STATE_VALUES!r}")
