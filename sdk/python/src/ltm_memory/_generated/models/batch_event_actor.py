from typing import Literal, cast

BatchEventActor = Literal["assistant", "system", "tool", "user"]

BATCH_EVENT_ACTOR_VALUES: set[BatchEventActor] = {
    "assistant",
    "system",
    "tool",
    "user",
}


def check_batch_event_actor(value: str) -> BatchEventActor:
    if value in BATCH_EVENT_ACTOR_VALUES:
        return cast(BatchEventActor, value)
    raise TypeError(f"Unexpected value {value!r}. Expected one of {BATCH_EVENT_ACTOR_VALUES!r}")
