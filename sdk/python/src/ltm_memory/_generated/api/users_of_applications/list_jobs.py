from http import HTTPStatus
from typing import Any

import httpx

from ...client import AuthenticatedClient, Client
from ...models.list_jobs_answer_body import ListJobsAnswerBody
from ...models.problem import Problem
from ...types import UNSET, Response, Unset


def _get_kwargs(
    *,
    user_id: str | Unset = UNSET,
    state: str | Unset = UNSET,
    limit: int | Unset = UNSET,
    cursor: str | Unset = UNSET,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["user_id"] = user_id

    params["state"] = state

    params["limit"] = limit

    params["cursor"] = cursor

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/v1/jobs",
        "params": params,
    }

    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> ListJobsAnswerBody | Problem:
    if response.status_code == 200:
        response_200 = ListJobsAnswerBody.from_dict(response.json())

        return response_200

    response_default = Problem.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[ListJobsAnswerBody | Problem]:
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
    state: str | Unset = UNSET,
    limit: int | Unset = UNSET,
    cursor: str | Unset = UNSET,
) -> Response[ListJobsAnswerBody | Problem]:
    """List the side effects of changes in one state, the newest first

     What has ended is there until a purge.

    Args:
        user_id (str | Unset): Only those of this user.
        state (str | Unset): pending, done, skipped or failed. Default: pending.
        limit (int | Unset): How many, from 1 to 200. Default: 50.
        cursor (str | Unset): Where the page before ended: its next.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ListJobsAnswerBody | Problem]
    """

    kwargs = _get_kwargs(
        user_id=user_id,
        state=state,
        limit=limit,
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
    state: str | Unset = UNSET,
    limit: int | Unset = UNSET,
    cursor: str | Unset = UNSET,
) -> ListJobsAnswerBody | Problem | None:
    """List the side effects of changes in one state, the newest first

     What has ended is there until a purge.

    Args:
        user_id (str | Unset): Only those of this user.
        state (str | Unset): pending, done, skipped or failed. Default: pending.
        limit (int | Unset): How many, from 1 to 200. Default: 50.
        cursor (str | Unset): Where the page before ended: its next.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ListJobsAnswerBody | Problem
    """

    return sync_detailed(
        client=client,
        user_id=user_id,
        state=state,
        limit=limit,
        cursor=cursor,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient,
    user_id: str | Unset = UNSET,
    state: str | Unset = UNSET,
    limit: int | Unset = UNSET,
    cursor: str | Unset = UNSET,
) -> Response[ListJobsAnswerBody | Problem]:
    """List the side effects of changes in one state, the newest first

     What has ended is there until a purge.

    Args:
        user_id (str | Unset): Only those of this user.
        state (str | Unset): pending, done, skipped or failed. Default: pending.
        limit (int | Unset): How many, from 1 to 200. Default: 50.
        cursor (str | Unset): Where the page before ended: its next.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ListJobsAnswerBody | Problem]
    """

    kwargs = _get_kwargs(
        user_id=user_id,
        state=state,
        limit=limit,
        cursor=cursor,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    *,
    client: AuthenticatedClient,
    user_id: str | Unset = UNSET,
    state: str | Unset = UNSET,
    limit: int | Unset = UNSET,
    cursor: str | Unset = UNSET,
) -> ListJobsAnswerBody | Problem | None:
    """List the side effects of changes in one state, the newest first

     What has ended is there until a purge.

    Args:
        user_id (str | Unset): Only those of this user.
        state (str | Unset): pending, done, skipped or failed. Default: pending.
        limit (int | Unset): How many, from 1 to 200. Default: 50.
        cursor (str | Unset): Where the page before ended: its next.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ListJobsAnswerBody | Problem
    """

    return (
        await asyncio_detailed(
            client=client,
            user_id=user_id,
            state=state,
            limit=limit,
            cursor=cursor,
        )
    ).parsed
