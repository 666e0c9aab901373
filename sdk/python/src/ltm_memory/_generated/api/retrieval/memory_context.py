from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.context_answer_body import ContextAnswerBody
from ...models.context_body import ContextBody
from ...models.problem import Problem
from ...types import UNSET, Response, Unset


def _get_kwargs(
    t: str,
    *,
    body: ContextBody,
    user_id: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}

    params: dict[str, Any] = {}

    params["user_id"] = user_id

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/v1/threads/{t}/memory-context".format(
            t=quote(str(t), safe=""),
        ),
        "params": params,
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> ContextAnswerBody | Problem:
    if response.status_code == 200:
        response_200 = ContextAnswerBody.from_dict(response.json())

        return response_200

    response_default = Problem.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[ContextAnswerBody | Problem]:
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
    body: ContextBody,
    user_id: str | Unset = UNSET,
) -> Response[ContextAnswerBody | Problem]:
    """Return the messages that a model needs for a text that the user is about to say

    Args:
        t (str): The thread's id, a UUID.
        user_id (str | Unset): Whose thread it must be. With a user's token, that user, whatever
            is given here.
        body (ContextBody):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ContextAnswerBody | Problem]
    """

    kwargs = _get_kwargs(
        t=t,
        body=body,
        user_id=user_id,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    t: str,
    *,
    client: AuthenticatedClient,
    body: ContextBody,
    user_id: str | Unset = UNSET,
) -> ContextAnswerBody | Problem | None:
    """Return the messages that a model needs for a text that the user is about to say

    Args:
        t (str): The thread's id, a UUID.
        user_id (str | Unset): Whose thread it must be. With a user's token, that user, whatever
            is given here.
        body (ContextBody):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ContextAnswerBody | Problem
    """

    return sync_detailed(
        t=t,
        client=client,
        body=body,
        user_id=user_id,
    ).parsed


async def asyncio_detailed(
    t: str,
    *,
    client: AuthenticatedClient,
    body: ContextBody,
    user_id: str | Unset = UNSET,
) -> Response[ContextAnswerBody | Problem]:
    """Return the messages that a model needs for a text that the user is about to say

    Args:
        t (str): The thread's id, a UUID.
        user_id (str | Unset): Whose thread it must be. With a user's token, that user, whatever
            is given here.
        body (ContextBody):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ContextAnswerBody | Problem]
    """

    kwargs = _get_kwargs(
        t=t,
        body=body,
        user_id=user_id,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    t: str,
    *,
    client: AuthenticatedClient,
    body: ContextBody,
    user_id: str | Unset = UNSET,
) -> ContextAnswerBody | Problem | None:
    """Return the messages that a model needs for a text that the user is about to say

    Args:
        t (str): The thread's id, a UUID.
        user_id (str | Unset): Whose thread it must be. With a user's token, that user, whatever
            is given here.
        body (ContextBody):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ContextAnswerBody | Problem
    """

    return (
        await asyncio_detailed(
            t=t,
            client=client,
            body=body,
            user_id=user_id,
        )
    ).parsed
