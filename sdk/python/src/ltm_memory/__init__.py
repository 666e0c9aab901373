"""A memory for chat applications and agents: the client of ltm-server.

Start with :class:`Memory`, or :class:`AsyncMemory` in programs with asyncio::

    from ltm_memory import Memory

    ann = Memory("http://127.0.0.1:5860", key).user("ann")
    ann.add("I live in Rome. My cat is called Socks.")
    print(ann.context("what is the name of her cat?").memory)
"""

from ._async import AsyncMemory, AsyncThread, AsyncUser
from ._generated.models import (
    ActAnswerBody,
    ClaimEntry,
    EventEntry,
    HitEntry,
    ProfileAnswerBody,
    ProfileEntry,
    RetrieveAnswerBody,
    SummaryAnswerBody,
    ThreadEntry,
)
from ._messages import Message, Messages
from ._sync import Memory, Thread, User
from .errors import (
    APIError,
    Conflict,
    ConnectionFailed,
    Gone,
    InvalidRequest,
    LTMError,
    MessagesRefused,
    NotFound,
    RateLimited,
    Unauthorized,
    Unavailable,
)

__all__ = [
    "APIError",
    "ActAnswerBody",
    "ClaimEntry",
    "EventEntry",
    "HitEntry",
    "ProfileAnswerBody",
    "ProfileEntry",
    "RetrieveAnswerBody",
    "SummaryAnswerBody",
    "ThreadEntry",
    "AsyncMemory",
    "AsyncThread",
    "AsyncUser",
    "Conflict",
    "ConnectionFailed",
    "Gone",
    "InvalidRequest",
    "LTMError",
    "Memory",
    "Message",
    "Messages",
    "MessagesRefused",
    "NotFound",
    "RateLimited",
    "Thread",
    "Unauthorized",
    "Unavailable",
    "User",
]
