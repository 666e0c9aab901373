from typing import Literal, cast

ClaimBodyStability = Literal["high", "low", "med"]

CLAIM_BODY_STABILITY_VALUES: set[ClaimBodyStability] = {
    "high",
    "low",
    "med",
}


def check_claim_body_stability(value: str) -> ClaimBodyStability:
    if value in CLAIM_BODY_STABILITY_VALUES:
        return cast(ClaimBodyStability, value)
    raise TypeError(f"Unexpected value {value!r}. Expected one of {CLAIM_BODY_STABILITY_VALUES!r}")
