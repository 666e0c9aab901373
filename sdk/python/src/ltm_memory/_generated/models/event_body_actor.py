from typing import Literal, cast

EventBodyActor = Literal["assistant", "user"]

EVENT_BODY_ACTOR_VALUES: set[EventBodyActor] = {
    "assistant",
    "user",
}


def check_event_body_actor(value: str) -> EventBodyActor:
    if value in EVENT_BODY_ACTOR_VALUES:
        return cast(EventBodyActor, value)
    raise TypeError(f"Unexpected value {value!r}. Expected one of {EVENT_BODY_ACTOR_VALUES!r}")
