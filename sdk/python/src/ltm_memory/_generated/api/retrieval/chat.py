from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.chat_body import ChatBody
from ...models.problem import Problem
from ...types import UNSET, Response, Unset


def _get_kwargs(
    t: str,
    *,
    body: ChatBody,
    user_id: str | Unset = UNSET,
    idempotency_key: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(idempotency_key, Unset):
        headers["Idempotency-Key"] = idempotency_key

    params: dict[str, Any] = {}

    params["user_id"] = user_id

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/v1/threads/{t}/chat".format(
            t=quote(str(t), safe=""),
        ),
        "params": params,
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Problem | str:
    if response.status_code == 200:
        response_200 = response.text
        return response_200

    response_default = Problem.from_dict(response.json())

    return response_default


def _build_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Response[Problem | str]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    t: str,
    *,
    client: AuthenticatedClient,
    body: ChatBody,
    user_id: str | Unset = UNSET,
    idempotency_key: str | Unset = UNSET,
) -> Response[Problem | str]:
    """Say something, and get the reply of a model, both of which are kept

     The reply is text/plain; X-User-Event-Id and X-Assistant-Event-Id name both events. With Accept:
    text/event-stream it comes in pieces: messages with a text, then an event done with both ids, or an
    event error with a problem. A request with the Idempotency-Key of an earlier one goes on where that
    one stopped.

    Args:
        t (str): The thread's id, a UUID.
        user_id (str | Unset): Whose thread it must be. With a user's token, that user, whatever
            is given here.
        idempotency_key (str | Unset):
        body (ChatBody):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | str]
    """

    kwargs = _get_kwargs(
        t=t,
        body=body,
        user_id=user_id,
        idempotency_key=idempotency_key,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    t: str,
    *,
    client: AuthenticatedClient,
    body: ChatBody,
    user_id: str | Unset = UNSET,
    idempotency_key: str | Unset = UNSET,
) -> Problem | str | None:
    """Say something, and get the reply of a model, both of which are kept

     The reply is text/plain; X-User-Event-Id and X-Assistant-Event-Id name both events. With Accept:
    text/event-stream it comes in pieces: messages with a text, then an event done with both ids, or an
    event error with a problem. A request with the Idempotency-Key of an earlier one goes on where that
    one stopped.

    Args:
        t (str): The thread's id, a UUID.
        user_id (str | Unset): Whose thread it must be. With a user's token, that user, whatever
            is given here.
        idempotency_key (str | Unset):
        body (ChatBody):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | str
    """

    return sync_detailed(
        t=t,
        client=client,
        body=body,
        user_id=user_id,
        idempotency_key=idempotency_key,
    ).parsed


async def asyncio_detailed(
    t: str,
    *,
    client: AuthenticatedClient,
    body: ChatBody,
    user_id: str | Unset = UNSET,
    idempotency_key: str | Unset = UNSET,
) -> Response[Problem | str]:
    """Say something, and get the reply of a model, both of which are kept

     The reply is text/plain; X-User-Event-Id and X-Assistant-Event-Id name both events. With Accept:
    text/event-stream it comes in pieces: messages with a text, then an event done with both ids, or an
    event error with a problem. A request with the Idempotency-Key of an earlier one goes on where that
    one stopped.

    Args:
        t (str): The thread's id, a UUID.
        user_id (str | Unset): Whose thread it must be. With a user's token, that user, whatever
            is given here.
        idempotency_key (str | Unset):
        body (ChatBody):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | str]
    """

    kwargs = _get_kwargs(
        t=t,
        body=body,
        user_id=user_id,
        idempotency_key=idempotency_key,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    t: str,
    *,
    client: AuthenticatedClient,
    body: ChatBody,
    user_id: str | Unset = UNSET,
    idempotency_key: str | Unset = UNSET,
) -> Problem | str | None:
    """Say something, and get the reply of a model, both of which are kept

     The reply is text/plain; X-User-Event-Id and X-Assistant-Event-Id name both events. With Accept:
    text/event-stream it comes in pieces: messages with a text, then an event done with both ids, or an
    event error with a problem. A request with the Idempotency-Key of an earlier one goes on where that
    one stopped.

    Args:
        t (str): The thread's id, a UUID.
        user_id (str | Unset): Whose thread it must be. With a user's token, that user, whatever
            is given here.
        idempotency_key (str | Unset):
        body (ChatBody):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | str
    """

    return (
        await asyncio_detailed(
            t=t,
            client=client,
            body=body,
            user_id=user_id,
            idempotency_key=idempotency_key,
        )
    ).parsed
