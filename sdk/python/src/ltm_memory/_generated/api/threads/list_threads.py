from http import HTTPStatus
from typing import Any

import httpx

from ...client import AuthenticatedClient, Client
from ...models.list_threads_answer_body import ListThreadsAnswerBody
from ...models.problem import Problem
from ...types import UNSET, Response, Unset


def _get_kwargs(
    *,
    user_id: str | Unset = UNSET,
    limit: int | Unset = UNSET,
    agent: str | Unset = UNSET,
    cursor: str | Unset = UNSET,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["user_id"] = user_id

    params["limit"] = limit

    params["agent"] = agent

    params["cursor"] = cursor

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/v1/threads",
        "params": params,
    }

    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> ListThreadsAnswerBody | Problem:
    if response.status_code == 200:
        response_200 = ListThreadsAnswerBody.from_dict(response.json())

        return response_200

    response_default = Problem.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[ListThreadsAnswerBody | Problem]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    *,
    client: AuthenticatedClient,
    user_id: str | Unset = UNSET,
    limit: int | Unset = UNSET,
    agent: str | Unset = UNSET,
    cursor: str | Unset = UNSET,
) -> Response[ListThreadsAnswerBody | Problem]:
    """List the threads of a user, the newest first

    Args:
        user_id (str | Unset): Whose threads. Required, but with a user's token.
        limit (int | Unset): How many, from 1 to 200. Default: 50.
        agent (str | Unset): Only those with this agent.
        cursor (str | Unset): Where the page before ended: its next.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ListThreadsAnswerBody | Problem]
    """

    kwargs = _get_kwargs(
        user_id=user_id,
        limit=limit,
        agent=agent,
        cursor=cursor,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    *,
    client: AuthenticatedClient,
    user_id: str | Unset = UNSET,
    limit: int | Unset = UNSET,
    agent: str | Unset = UNSET,
    cursor: str | Unset = UNSET,
) -> ListThreadsAnswerBody | Problem | None:
    """List the threads of a user, the newest first

    Args:
        user_id (str | Unset): Whose threads. Required, but with a user's token.
        limit (int | Unset): How many, from 1 to 200. Default: 50.
        agent (str | Unset): Only those with this agent.
        cursor (str | Unset): Where the page before ended: its next.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ListThreadsAnswerBody | Problem
    """

    return sync_detailed(
        client=client,
        user_id=user_id,
        limit=limit,
        agent=agent,
        cursor=cursor,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient,
    user_id: str | Unset = UNSET,
    limit: int | Unset = UNSET,
    agent: str | Unset = UNSET,
    cursor: str | Unset = UNSET,
) -> Response[ListThreadsAnswerBody | Problem]:
    """List the threads of a user, the newest first

    Args:
        user_id (str | Unset): Whose threads. Required, but with a user's token.
        limit (int | Unset): How many, from 1 to 200. Default: 50.
        agent (str | Unset): Only those with this agent.
        cursor (str | Unset): Where the page before ended: its next.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ListThreadsAnswerBody | Problem]
    """

    kwargs = _get_kwargs(
        user_id=user_id,
        limit=limit,
        agent=agent,
        cursor=cursor,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    *,
    client: AuthenticatedClient,
    user_id: str | Unset = UNSET,
    limit: int | Unset = UNSET,
    agent: str | Unset = UNSET,
    cursor: str | Unset = UNSET,
) -> ListThreadsAnswerBody | Problem | None:
    """List the threads of a user, the newest first

    Args:
        user_id (str | Unset): Whose threads. Required, but with a user's token.
        limit (int | Unset): How many, from 1 to 200. Default: 50.
        agent (str | Unset): Only those with this agent.
        cursor (str | Unset): Where the page before ended: its next.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ListThreadsAnswerBody | Problem
    """

    return (
        await asyncio_detailed(
            client=client,
            user_id=user_id,
            limit=limit,
            agent=agent,
            cursor=cursor,
        )
    ).parsed
