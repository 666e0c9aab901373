import json
from datetime import datetime, timezone

import httpx
import pytest

from ltm_memory import (
    AsyncMemory,
    Conflict,
    ConnectionFailed,
    InvalidRequest,
    LTMError,
    Memory,
    MessagesRefused,
    NotFound,
    RateLimited,
    Unauthorized,
    Unavailable,
)


def test_what_was_said_is_found_in_another_program(server, memory, name):
    ids = memory.user(name).add(
        [
            {"role": "user", "content": "I live in Rome. My cat is called Socks and hates the vet."},
            {"role": "assistant", "content": None, "tool_calls": [{"id": "1"}]},
            {"role": "assistant", "content": [{"type": "text", "text": "Noted: Rome, and Socks."}]},
        ]
    )
    assert ids[1] is None and ids[0] and ids[2]
    with Memory(server.url, server.key) as other:
        context = other.user(name).context("what is the name of her cat?", budget=300)
    assert "Socks" in context.memory
    assert 0 < context.tokens <= 300
    assert [e.content for e in memory.user(name)._own.messages()] == [
        "Noted: Rome, and Socks.",
        "I live in Rome. My cat is called Socks and hates the vet.",
    ]


async def test_the_same_without_blocking(async_memory, name):
    ann = async_memory.user(name)
    await ann.add("My cat is called Socks.")
    assert "Socks" in (await ann.context("what is the name of her cat?")).memory
    thread = ann.thread(title="Work")
    await thread.add(["I work at Siemens.", {"role": "assistant", "content": "Good to know."}])
    assert "Siemens" in (await thread.context("where does she work?")).memory
    assert [e.role async for e in thread.messages()] == ["assistant", "user"]
    assert len([t async for t in ann.threads()]) == 2
    assert (await ann.forget()).ok
    assert (await ann.context("what is the name of her cat?")).memory == ""


def test_the_own_thread_of_a_user_is_the_same_in_typescript(memory):
    memory.user("ann").add("hello")
    assert "b65a99d4-e117-5c28-aba6-823e00f9ad0f" in [t.id for t in memory.user("ann").threads()]


def test_a_user_is_seen_by_nobody_else(memory, name):
    mine = memory.user(name).thread()
    mine.add("My cat is called Socks.")
    with pytest.raises(Conflict):
        memory.user(name + "2").thread(mine.id).add("hello")
    with pytest.raises(NotFound):
        memory.user(name + "2").thread(mine.id).summary()
    assert memory.user(name + "2").context("what is the name of the cat?").memory == ""


def test_claims_are_confirmed_corrected_and_undone(memory, name):
    ann = memory.user(name)
    claim = ann.state("PROFILE", "I live in Rome", suggest=True).claim
    assert [c.text for c in ann.claims("suggested")] == ["I live in Rome"]
    ann.confirm(claim.id, note="she said so")
    act = ann.correct(claim.id, "I live in Turin", valid_from=datetime(2026, 5, 1, tzinfo=timezone.utc)).act
    assert [c.text for c in ann.claims()] == ["I live in Turin"]
    profile = ann.profile()
    assert [(e.slot, e.value) for e in profile.static] == [("home", "Turin")]
    ann.undo(act.id)
    assert [c.text for c in ann.claims()] == ["I live in Rome"]
    ann.reject(next(ann.claims()).id)
    assert list(ann.claims()) == []


def test_lists_are_read_page_by_page(memory, name):
    ann = memory.user(name)
    thread = ann.thread()
    thread.add([{"role": "user", "content": f"Message number {n}."} for n in range(1, 1203)])
    got = [e.content for e in thread.messages()]
    assert got == [f"Message number {n}." for n in range(1202, 0, -1)]
    thread.add([{"role": "tool", "content": "x" * (60 << 10)} for _ in range(60)])  # more than one request takes
    assert ann.search("number 77", limit=3)[0].text == "Message number 77."


def test_a_message_keeps_its_fields(memory, name):
    thread = memory.user(name).thread()
    when = datetime(2026, 2, 3, 4, 5, 6, tzinfo=timezone.utc)
    message = {"role": "user", "content": "It rains.", "occurred_at": when, "meta": {"source": "roof"}, "key": "k"}
    first = thread.add(message)
    assert thread.add(message) == first, "the key names it once"
    event = next(thread.messages())
    assert (event.occurred_at, event.key, event.meta) == (when, "k", {"source": "roof"})
    thread.delete_message(event.id)
    assert list(thread.messages()) == []


def test_refusals_name_what_was_wrong(server, memory, name):
    ann = memory.user(name)
    with pytest.raises(ValueError, match="role must"):
        ann.add({"content": "hello"})
    with pytest.raises(ValueError, match="one of assistant, system, tool, user, not 'robot'"):
        ann.add({"role": "robot", "content": "hello"})
    with pytest.raises(TypeError, match="content"):
        ann.add({"role": "user", "content": 7})
    with pytest.raises(TypeError, match="a message is"):
        ann.add([7])
    with pytest.raises(ValueError, match="needs a zone"):
        ann.add({"role": "user", "content": "hello", "occurred_at": datetime(2026, 1, 1)})
    with pytest.raises(TypeError, match="messages are"):
        ann.add(None)
    with pytest.raises(ValueError, match="needs a zone"):
        ann.context("Where does she live?", as_of=datetime(2026, 1, 1))
    with pytest.raises(ValueError, match="UUID"):
        ann.thread("chat-42")
    for half in ("half \ud83d", "\ude00"):
        for refuse in (
            lambda text: ann.add(["short", {"role": "user", "content": [{"type": "text", "text": text}]}]),
            lambda text: ann.add({"role": "user", "content": "short", "meta": {"from": text}}),
            ann.context,
            ann.search,
            lambda text: ann.state("PROFILE", text),
        ):
            with pytest.raises(ValueError, match="half of a surrogate pair") as surrogate:
                refuse(half)
            assert not isinstance(surrogate.value, UnicodeError)
    for wrong in ("", ".", "..", 42, "\ude00"):
        with pytest.raises(ValueError, match="a user's id"):
            memory.user(wrong)
    assert list(ann.threads()) == [], "nothing was stored"
    assert "Rome" not in ann.context("What? " * 3000).memory, "a long question is asked, too"
    with pytest.raises(MessagesRefused) as refused:
        ann.add(["short", "x" * (65 << 10)])
    assert list(refused.value.reasons) == [1]
    assert refused.value.ids[0] and refused.value.ids[1] is None
    assert "nothing was changed" not in str(refused.value)
    assert [e.content for e in ann._own.messages()] == ["short"]
    with pytest.raises(InvalidRequest) as invalid:
        ann.context("Where does she live?", budget=0)
    assert invalid.value.kind and invalid.value.request_id and "budget" in invalid.value.detail
    with Memory(server.url, "wrong") as stranger, pytest.raises(Unauthorized) as unauthorized:
        stranger.user(name).profile()
    assert unauthorized.value.kind == "unauthorized"


async def test_a_closed_memory_says_so(server):
    with Memory(server.url, server.key) as memory:
        ann = memory.user("ann")
    for use in (lambda: ann.add("hello"), lambda: ann.context("hello"), lambda: list(ann.claims()), ann.forget):
        with pytest.raises(LTMError, match="closed"):
            use()
    memory.close()
    with pytest.raises(LTMError, match="closed"):
        memory.user("ann").profile()
    again = AsyncMemory(server.url, server.key)
    await again.aclose()
    with pytest.raises(LTMError, match="closed"):
        await again.user("ann").add("hello")


@pytest.mark.parametrize(
    "url, key, why",
    [
        ("memory.example.org", "k", "must be like"),
        ("ftp://memory.example.org", "k", "must be like"),
        ("https://u:p@memory.example.org", "k", "no user"),
        ("http://memory.example.org", "k", "not encrypted"),
        ("https://memory.example.org", "", "visible ASCII"),
        ("https://memory.example.org", "a b", "visible ASCII"),
    ],
)
def test_addresses_that_cannot_be_used(url, key, why):
    with pytest.raises(ValueError, match=why):
        Memory(url, key)


class Scripted(httpx.BaseTransport):
    """Answers with one response after the other, and keeps the requests."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.requests = []

    def handle_request(self, request):
        self.requests.append(request)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


def refused(status, kind="", after=None):
    headers = {"Content-Type": "application/problem+json"} | ({"Retry-After": after} if after else {})
    body = {"detail": "no", "error": "no", "status": status, "title": "No", "type": f"/docs#{kind}"}
    return httpx.Response(status, headers=headers, content=json.dumps(body))


def added():
    body = {"thread_id": "t", "added": 1, "rows": [{"event_id": "e", "new": True}]}
    return httpx.Response(200, headers={"Content-Type": "application/json"}, content=json.dumps(body))


def scripted(*answers):
    transport = Scripted(*answers)
    return transport, Memory("http://127.0.0.1:1", "k", transport=transport).user("ann")


def test_what_was_added_is_sent_again_with_the_same_key():
    transport, ann = scripted(httpx.ReadTimeout("slow"), refused(503, "busy", "0"), added())
    assert ann.add("hello") == ["e"]
    assert len({r.headers["Idempotency-Key"] for r in transport.requests}) == 1
    assert len({r.content for r in transport.requests}) == 1


def test_attempts_end():
    transport, ann = scripted(*(refused(429, "too-many-requests") for _ in range(3)))
    with pytest.raises(RateLimited) as limited:
        ann.add("hello")
    assert limited.value.kind == "too-many-requests"
    assert len(transport.requests) == 3


def test_nobody_waits_for_minutes():
    transport, ann = scripted(refused(503, "no-database", "120"))
    with pytest.raises(Unavailable) as unavailable:
        ann.context("hello")
    assert unavailable.value.retry_after == 120
    assert len(transport.requests) == 1


def test_what_may_not_be_repeated_is_sent_once():
    transport, ann = scripted(httpx.ConnectError("refused"))
    with pytest.raises(ConnectionFailed):
        ann.forget()
    assert len(transport.requests) == 1


@pytest.mark.parametrize(
    "answer",
    [
        httpx.Response(200, headers={"Content-Type": "text/html"}, content="<html>log in</html>"),
        httpx.Response(302, headers={"Location": "https://elsewhere.example.org"}),
        httpx.Response(502, headers={"Content-Type": "text/html"}, content="<html>bad gateway</html>"),
    ],
)
def test_answers_of_proxies_are_errors(answer):
    _, ann = scripted(answer)
    with pytest.raises(LTMError):
        ann.forget()
