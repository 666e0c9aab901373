from typing import Literal, cast

ClaimBodyBucket = Literal[
    "COMMUNICATION_STYLE",
    "CONSTRAINTS",
    "GOALS",
    "LONG_RUNNING_CONTEXT",
    "NEXT_ACTIONS",
    "OPEN_LOOPS",
    "PREFERENCES",
    "PROFILE",
    "PROJECTS",
]

CLAIM_BODY_BUCKET_VALUES: set[ClaimBodyBucket] = {
    "COMMUNICATION_STYLE",
    "CONSTRAINTS",
    "GOALS",
    "LONG_RUNNING_CONTEXT",
    "NEXT_ACTIONS",
    "OPEN_LOOPS",
    "PREFERENCES",
    "PROFILE",
    "PROJECTS",
}


def check_claim_body_bucket(value: str) -> ClaimBodyBucket:
    if value in CLAIM_BODY_BUCKET_VALUES:
        return cast(ClaimBodyBucket, value)
    raise TypeError(f"Unexpected value {value!r}. Expected one of {CLAIM_BODY_BUCKET_VALUES!r}")
