"""For LangChain and LangGraph: a chat history, and two nodes of a graph. Needs the extra ``langchain``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from langchain_core.chat_history import BaseChatMessageHistory
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage

from . import NotFound, Thread, User

_ROLES = {"human": "user", "ai": "assistant", "system": "system"}
_MESSAGES = {"user": HumanMessage, "assistant": AIMessage, "system": SystemMessage}


class LTMChatMessageHistory(BaseChatMessageHistory):
    """The messages of a thread.

    It has what people and models said. Calls of tools and their results are not part of it, so that no result
    comes back without its call.
    """

    def __init__(self, thread: Thread) -> None:
        """Keep the thread. Its first message stores it."""
        self._thread = thread

    @property
    def messages(self) -> list[BaseMessage]:  # type: ignore[override]
        """All messages, the oldest first."""
        try:
            events = [e for e in self._thread.messages() if e.role in _MESSAGES]
        except NotFound:
            return []
        return [_MESSAGES[e.role](content=e.content, id=e.id) for e in reversed(events)]

    def add_messages(self, messages: Sequence[BaseMessage]) -> None:
        """Store messages; one with an id only once."""
        self._thread.add([_message(m) for m in messages if m.type in _ROLES])

    def clear(self) -> None:
        """Delete the thread and what follows from it alone."""
        try:
            self._thread.delete()
        except NotFound:
            pass


def context_node(user: User, budget: int = 1000, key: str = "context") -> Callable[[Any], dict[str, str]]:
    """Return a node that puts what a model needs to know for the last message of a person into a key of the state.

    The state has ``messages`` and that key, a text. The node of the model puts it before the messages.
    """

    def context(state: Any) -> dict[str, str]:
        asked = next((m for m in reversed(state["messages"]) if m.type == "human"), None)
        question = str(asked.text) if asked is not None else ""
        return {key: user.context(question, budget).memory if question.strip() else ""}

    return context


def remember_node(thread: Thread) -> Callable[[Any], dict[str, Any]]:
    """Return a node that stores the messages of the state that the thread does not have yet, by their ids."""

    def remember(state: Any) -> dict[str, Any]:
        thread.add([_message(m) for m in state["messages"] if m.type in ("human", "ai")])
        return {}

    return remember


def _message(message: BaseMessage) -> dict[str, Any]:
    return {"role": _ROLES[message.type], "content": message.content, "key": message.id}
