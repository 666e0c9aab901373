from typing import Literal, cast

JobEntryState = Literal["done", "failed", "pending", "skipped"]

JOB_ENTRY_STATE_VALUES: set[JobEntryState] = {
    "done",
    "failed",
    "pending",
    "skipped",
}


def check_job_entry_state(value: str) -> JobEntryState:
    if value in JOB_ENTRY_STATE_VALUES:
        return cast(JobEntryState, value)
    raise TypeError(f"Unexpected value {value!r}. Expected one of {JOB_ENTRY_STATE_VALUES!r}")
