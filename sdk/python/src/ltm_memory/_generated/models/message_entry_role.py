from typing import Literal, cast

MessageEntryRole = Literal["assistant", "system", "user"]

MESSAGE_ENTRY_ROLE_VALUES: set[MessageEntryRole] = {
    "assistant",
    "system",
    "user",
}


def check_message_entry_role(value: str) -> MessageEntryRole:
    if value in MESSAGE_ENTRY_ROLE_VALUES:
        return cast(MessageEntryRole, value)
    raise TypeError(f"Unexpected value {value!r}. Expected one of {MESSAGE_ENTRY_ROLE_VALUES!r}")
