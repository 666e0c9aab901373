"""The memory of one application. Made from _async.py by "make sdk"."""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterator
from datetime import datetime
from types import TracebackType
from typing import Any, TypeVar

import httpx

from ._generated import AuthenticatedClient
from ._generated.api.claims import (
    add_claim,
    confirm_claim,
    correct_claim,
    list_claims,
    reject_claim,
    undo_act,
)
from ._generated.api.events import add_events, delete_event, list_events
from ._generated.api.retrieval import retrieve, search
from ._generated.api.threads import (
    create_thread,
    delete_thread,
    get_summary,
    list_threads,
)
from ._generated.api.users_of_applications import erase_user, get_profile
from ._generated.models import (
    ActAnswerBody,
    ActBody,
    AddClaimAnswerBody,
    BatchBody,
    ClaimBody,
    ClaimEntry,
    CorrectBody,
    DeleteEventAnswerBody,
    DeleteThreadAnswerBody,
    EraseAnswerBody,
    EventEntry,
    HitEntry,
    Problem,
    ProfileAnswerBody,
    RetrieveAnswerBody,
    RetrieveBody,
    SearchBody,
    SummaryAnswerBody,
    ThreadBody,
    ThreadEntry,
)
from ._generated.types import UNSET, Unset
from ._messages import Messages, asked, batches, zoned
from ._transport import checked_url, not_unicode, refusal, spoken, wait_before
from .errors import Conflict, ConnectionFailed, LTMError, MessagesRefused, NotFound

T = TypeVar("T")

_USERS_THREADS = uuid.UUID("0f0d0c38-6c5d-5e0e-9d0c-3f6f9f8f2b51")
"""The namespace of the ids of threads that users have without naming one; sdk/typescript has the same."""


class Memory:
    """The memory that one application has on a server.

    ``url`` is the server's address, ``key`` the application's. A key goes only to https or to this machine,
    unless ``insecure``. ``user_token`` is the JWT of a user, for applications with an issuer. ``timeout`` bounds
    each step of an attempt, in seconds; ``attempts`` how often a request is sent that may be repeated.
    ``transport`` replaces httpx's, for proxies or certificates of your own.

    Safe for use by several tasks or threads. Close it at the end, or use it as a context manager.
    """

    def __init__(
        self,
        url: str,
        key: str,
        *,
        user_token: str | None = None,
        timeout: float = 30.0,
        attempts: int = 3,
        insecure: bool = False,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        """Send nothing. Raise ValueError for an address or key that cannot be used."""
        url = checked_url(url, key, insecure)
        headers = {"X-API-Key": key}
        if user_token:
            headers["Authorization"] = f"Bearer {user_token}"
        self._client = AuthenticatedClient(base_url=url, token=key)
        self._http = _HTTP(
            base_url=url,
            headers=headers,
            timeout=timeout,
            follow_redirects=False,
            transport=_Retries(transport or httpx.HTTPTransport(), attempts),
        )
        self._client.set_httpx_client(self._http)

    def user(self, user_id: str) -> User:
        """Return a user's memory. The server knows a user from the first message on."""
        if (
            not isinstance(user_id, str)
            or user_id in ("", ".", "..")
            or any("\ud800" <= c <= "\udfff" for c in user_id)
        ):
            raise ValueError(f"a user's id is a text of Unicode, and neither empty nor dots alone, not {user_id!r}")
        return User(self._client, user_id)

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def __enter__(self) -> Memory:
        """Return itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the connections."""
        self.close()


class User:
    """What an application remembers of one user. :meth:`Memory.user` makes it."""

    def __init__(self, client: AuthenticatedClient, user_id: str) -> None:
        """Keep the client."""
        self._client = client
        self.id = user_id

    def thread(self, thread_id: str | None = None, *, title: str = "") -> Thread:
        """Return a conversation with the user: that with an id, a UUID, or a new one.

        It is stored with its first message.
        """
        if thread_id is not None:
            try:
                thread_id = str(uuid.UUID(thread_id))
            except (ValueError, AttributeError, TypeError):
                raise ValueError(
                    f"a thread's id is a UUID, such as that of an earlier thread, not {thread_id!r}"
                ) from None
        return Thread(self._client, self.id, thread_id or str(uuid.uuid4()), title)

    @property
    def _own(self) -> Thread:
        """The thread of what is added to the user alone."""
        return Thread(self._client, self.id, str(uuid.uuid5(_USERS_THREADS, self.id)), "")

    def add(self, messages: Messages) -> list[str | None]:
        """Store messages in the user's own thread, which is one for all programs. See :meth:`Thread.add`."""
        return self._own.add(messages)

    def context(
        self,
        question: str,
        budget: int = 1000,
        *,
        as_of: datetime | None = None,
        explain: bool = False,
    ) -> RetrieveAnswerBody:
        """Compose what a model needs to know for a question, in at most ``budget`` tokens.

        ``memory`` of the answer is the text for the model; ``empty`` says why there is none.
        """
        body = RetrieveBody(
            query=asked(question), budget=budget, user_id=self.id, as_of=_given(zoned(as_of)), explain=explain
        )
        return _done(retrieve.sync(client=self._client, body=body))

    def search(self, query: str, limit: int = 10, *, kinds: list[str] | None = None) -> list[HitEntry]:
        """Find events, summaries and claims, the best first."""
        body = SearchBody(query=asked(query), limit=limit, user_id=self.id, kinds=_given(kinds))
        return _done(search.sync(client=self._client, body=body)).results

    def profile(self) -> ProfileAnswerBody:
        """Return what holds about the user: ``static`` is what they are, ``dynamic`` what they are about."""
        return _done(get_profile.sync(self.id, client=self._client))

    def claims(self, state: str = "active", *, bucket: str | None = None) -> Iterator[ClaimEntry]:
        """Go through the claims about the user, the surest first.

        ``state`` is one, such as "suggested", or several, such as "active,suggested".
        """
        cursor: str | Unset = UNSET
        while True:
            page = _done(
                list_claims.sync(
                    client=self._client,
                    user_id=self.id,
                    state=state,
                    bucket=_given(bucket),
                    cursor=cursor,
                )
            )
            for claim in page.claims:
                yield claim
            if isinstance(page.next_, Unset) or not page.next_:
                return
            cursor = page.next_

    def state(self, bucket: str, text: str, *, suggest: bool = False) -> AddClaimAnswerBody:
        """Add a claim about the user, such as ("CONSTRAINTS", "is allergic to nuts")."""
        body = ClaimBody.from_dict({"bucket": bucket, "text": text, "user_id": self.id, "suggest": suggest})
        return _done(add_claim.sync(client=self._client, body=body, idempotency_key=_once()))

    def confirm(self, claim_id: str, note: str = "") -> ActAnswerBody:
        """Let a suggested claim count."""
        return _done(
            confirm_claim.sync(claim_id, client=self._client, body=self._act(note), idempotency_key=_once())
        )

    def reject(self, claim_id: str, note: str = "") -> ActAnswerBody:
        """Say that a claim is not true. It is not suggested again."""
        return _done(
            reject_claim.sync(claim_id, client=self._client, body=self._act(note), idempotency_key=_once())
        )

    def correct(
        self, claim_id: str, text: str, *, valid_from: datetime | None = None, note: str = ""
    ) -> ActAnswerBody:
        """Replace a claim by what is true instead."""
        body = CorrectBody(text=text, user_id=self.id, note=note or UNSET, valid_from=_given(zoned(valid_from)))
        return _done(correct_claim.sync(claim_id, client=self._client, body=body, idempotency_key=_once()))

    def undo(self, act_id: str) -> ActAnswerBody:
        """Take an act on a claim back: ``act.id`` of its answer."""
        return _done(undo_act.sync(act_id, client=self._client, body=self._act(""), idempotency_key=_once()))

    def threads(self) -> Iterator[ThreadEntry]:
        """Go through the user's threads, the newest first."""
        cursor: str | Unset = UNSET
        while True:
            page = _done(list_threads.sync(client=self._client, user_id=self.id, cursor=cursor))
            for thread in page.threads:
                yield thread
            if isinstance(page.next_, Unset) or not page.next_:
                return
            cursor = page.next_

    def forget(self) -> EraseAnswerBody:
        """Erase all that is kept of the user, for good. The answer counts what went."""
        return _done(erase_user.sync(self.id, client=self._client))

    def _act(self, note: str) -> ActBody:
        return ActBody(user_id=self.id, note=note or UNSET)


class Thread:
    """One conversation with a user. :meth:`User.thread` makes it."""

    def __init__(self, client: AuthenticatedClient, user_id: str, thread_id: str, title: str) -> None:
        """Keep the client."""
        self._client = client
        self._title = title
        self.id = thread_id
        self.user_id = user_id

    def add(self, messages: Messages) -> list[str | None]:
        """Store messages: a text of the user, or a mapping with ``role`` and ``content``, or several.

        Returns the id of each; None for one without text, such as a call of a tool, which is not stored.
        Raises MessagesRefused if the server refused some of them.
        """
        ids: list[str | None] = []
        refused: dict[int, str] = {}
        for batch in batches(messages):
            events = [event for event in batch if event is not None]
            rows = iter((self._add(BatchBody(events=events))).rows if events else [])
            for event in batch:
                row = None if event is None else next(rows)
                if row is not None and not isinstance(row.error, Unset):
                    refused[len(ids)] = row.error
                ids.append(None if row is None or isinstance(row.event_id, Unset) else row.event_id)
        if refused:
            raise MessagesRefused(refused, ids)
        return ids

    def _add(self, body: BatchBody) -> Any:
        """Store a batch, and the thread if it is new. Another program may store it at the same time."""
        try:
            return self._send(body)
        except NotFound:
            new = ThreadBody.from_dict({"id": self.id, "user_id": self.user_id})
            if self._title:
                new.title = self._title
            try:
                create_thread.sync(client=self._client, body=new)
            except Conflict as taken:
                try:
                    return self._send(body)
                except NotFound:
                    raise taken from None  # another user's
        return self._send(body)

    def _send(self, body: BatchBody) -> Any:
        return _done(
            add_events.sync(
                self.id,
                client=self._client,
                body=body,
                user_id=self.user_id,
                idempotency_key=_once(),
            )
        )

    def context(
        self, question: str, budget: int = 1000, *, recent: int = 0, explain: bool = False
    ) -> RetrieveAnswerBody:
        """Compose what a model needs to know for a question, from this thread alone and what holds about the user.

        ``recent`` newest messages come along. For all of the user's threads ask :meth:`User.context`.
        """
        body = RetrieveBody(
            query=asked(question),
            budget=budget,
            thread_id=self.id,
            user_id=self.user_id,
            recent=recent,
            explain=explain,
        )
        return _done(retrieve.sync(client=self._client, body=body))

    def messages(self) -> Iterator[EventEntry]:
        """Go through the messages with all their fields, the newest first."""
        cursor: str | Unset = UNSET
        while True:
            page = _done(
                list_events.sync(
                    self.id,
                    client=self._client,
                    user_id=self.user_id,
                    detail=True,
                    cursor=cursor,
                )
            )
            for event in reversed(page.messages):
                yield event
            if isinstance(page.next_, Unset) or not page.next_:
                return
            cursor = page.next_

    def summary(self) -> SummaryAnswerBody:
        """Return the summary that is in each of the thread's contexts."""
        return _done(get_summary.sync(self.id, client=self._client, user_id=self.user_id))

    def delete_message(self, event_id: str) -> DeleteEventAnswerBody:
        """Delete a message and what follows from it alone."""
        return _done(delete_event.sync(self.id, event_id, client=self._client, user_id=self.user_id))

    def delete(self) -> DeleteThreadAnswerBody:
        """Delete the thread and what follows from it alone."""
        return _done(delete_thread.sync(self.id, client=self._client, user_id=self.user_id))


class _HTTP(httpx.Client):
    """Refuses what cannot be sent, in the words of this package."""

    def build_request(self, *args: Any, **kwargs: Any) -> httpx.Request:
        if self.is_closed:
            raise LTMError("this memory is closed; make another one")
        try:
            return super().build_request(*args, **kwargs)
        except UnicodeEncodeError as e:
            raise not_unicode(e) from None


class _Retries(httpx.BaseTransport):
    """Sends requests again where that does no harm, and raises refusals."""

    def __init__(self, inner: httpx.BaseTransport, attempts: int) -> None:
        self._inner = inner
        self._attempts = max(1, attempts)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        attempt = 0
        while True:
            attempt += 1
            try:
                response = self._inner.handle_request(request)
                if response.status_code < 300 and spoken(response):
                    return response
                response.read()
                wait = wait_before(attempt, self._attempts, request, response)
                if wait is None:
                    raise refusal(response)
            except httpx.TransportError as e:
                wait = wait_before(attempt, self._attempts, request, None)
                if wait is None:
                    raise ConnectionFailed(f"{request.method} {request.url}: {e or type(e).__name__}") from e
            time.sleep(wait)

    def close(self) -> None:
        self._inner.close()


def _once() -> str:
    return str(uuid.uuid4())


def _given(value: T | None) -> T | Unset:
    return UNSET if value is None else value


def _done(answer: T | Problem | None) -> T:
    """Return the answer of a success. Refusals were raised before."""
    if answer is None or isinstance(answer, Problem):
        raise ConnectionFailed("the server's answer is not what it should be")
    return answer
