from typing import Literal, cast

ChangeEntryOp = Literal["delete", "put"]

CHANGE_ENTRY_OP_VALUES: set[ChangeEntryOp] = {
    "delete",
    "put",
}


def check_change_entry_op(value: str) -> ChangeEntryOp:
    if value in CHANGE_ENTRY_OP_VALUES:
        return cast(ChangeEntryOp, value)
    raise TypeError(f"Unexpected value {value!r}. Expected one of {CHANGE_ENTRY_OP_VALUES!r}")
