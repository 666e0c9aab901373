from typing import Literal, cast

JobEntryKind = Literal["embed", "extract", "suggest", "summarize"]

JOB_ENTRY_KIND_VALUES: set[JobEntryKind] = {
    "embed",
    "extract",
    "suggest",
    "summarize",
}


def check_job_entry_kind(value: str) -> JobEntryKind:
    if value in JOB_ENTRY_KIND_VALUES:
        return cast(JobEntryKind, value)
    raise TypeError(f"Unexpected value {value!r}. Expected one of {JOB_ENTRY_KIND_VALUES!r}")
