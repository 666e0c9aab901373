from http import HTTPStatus
from typing import Any

import httpx

from ...client import AuthenticatedClient, Client
from ...models.list_changes_answer_body import ListChangesAnswerBody
from ...models.problem import Problem
from ...types import UNSET, Response, Unset


def _get_kwargs(
    *,
    after: str | Unset = UNSET,
    user_id: str | Unset = UNSET,
    limit: int | Unset = UNSET,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["after"] = after

    params["user_id"] = user_id

    params["limit"] = limit

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/v1/changes",
        "params": params,
    }

    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> ListChangesAnswerBody | Problem:
    if response.status_code == 200:
        response_200 = ListChangesAnswerBody.from_dict(response.json())

        return response_200

    response_default = Problem.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[ListChangesAnswerBody | Problem]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    *,
    client: AuthenticatedClient,
    after: str | Unset = UNSET,
    user_id: str | Unset = UNSET,
    limit: int | Unset = UNSET,
) -> Response[ListChangesAnswerBody | Problem]:
    """List what was put and deleted, the oldest first

     Each change comes once to a client that continues with next. An empty page has a next, too, with
    which to ask again later. To follow, first ask with after=now, then read what is there, then ask
    with the next of that first answer. A change is listed until the server purges it, by default 30
    days after it happened: a cursor that is older than a purged change gets 410, and the client starts
    over. Without after, the answer begins with the oldest change that is left.

    Args:
        after (str | Unset): The next of the page before, or now. Default: from the oldest change
            that is left.
        user_id (str | Unset): Only those of this user.
        limit (int | Unset): How many, from 1 to 1,000. Default: 100.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ListChangesAnswerBody | Problem]
    """

    kwargs = _get_kwargs(
        after=after,
        user_id=user_id,
        limit=limit,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    *,
    client: AuthenticatedClient,
    after: str | Unset = UNSET,
    user_id: str | Unset = UNSET,
    limit: int | Unset = UNSET,
) -> ListChangesAnswerBody | Problem | None:
    """List what was put and deleted, the oldest first

     Each change comes once to a client that continues with next. An empty page has a next, too, with
    which to ask again later. To follow, first ask with after=now, then read what is there, then ask
    with the next of that first answer. A change is listed until the server purges it, by default 30
    days after it happened: a cursor that is older than a purged change gets 410, and the client starts
    over. Without after, the answer begins with the oldest change that is left.

    Args:
        after (str | Unset): The next of the page before, or now. Default: from the oldest change
            that is left.
        user_id (str | Unset): Only those of this user.
        limit (int | Unset): How many, from 1 to 1,000. Default: 100.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ListChangesAnswerBody | Problem
    """

    return sync_detailed(
        client=client,
        after=after,
        user_id=user_id,
        limit=limit,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient,
    after: str | Unset = UNSET,
    user_id: str | Unset = UNSET,
    limit: int | Unset = UNSET,
) -> Response[ListChangesAnswerBody | Problem]:
    """List what was put and deleted, the oldest first

     Each change comes once to a client that continues with next. An empty page has a next, too, with
    which to ask again later. To follow, first ask with after=now, then read what is there, then ask
    with the next of that first answer. A change is listed until the server purges it, by default 30
    days after it happened: a cursor that is older than a purged change gets 410, and the client starts
    over. Without after, the answer begins with the oldest change that is left.

    Args:
        after (str | Unset): The next of the page before, or now. Default: from the oldest change
            that is left.
        user_id (str | Unset): Only those of this user.
        limit (int | Unset): How many, from 1 to 1,000. Default: 100.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ListChangesAnswerBody | Problem]
    """

    kwargs = _get_kwargs(
        after=after,
        user_id=user_id,
        limit=limit,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    *,
    client: AuthenticatedClient,
    after: str | Unset = UNSET,
    user_id: str | Unset = UNSET,
    limit: int | Unset = UNSET,
) -> ListChangesAnswerBody | Problem | None:
    """List what was put and deleted, the oldest first

     Each change comes once to a client that continues with next. An empty page has a next, too, with
    which to ask again later. To follow, first ask with after=now, then read what is there, then ask
    with the next of that first answer. A change is listed until the server purges it, by default 30
    days after it happened: a cursor that is older than a purged change gets 410, and the client starts
    over. Without after, the answer begins with the oldest change that is left.

    Args:
        after (str | Unset): The next of the page before, or now. Default: from the oldest change
            that is left.
        user_id (str | Unset): Only those of this user.
        limit (int | Unset): How many, from 1 to 1,000. Default: 100.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ListChangesAnswerBody | Problem
    """

    return (
        await asyncio_detailed(
            client=client,
            after=after,
            user_id=user_id,
            limit=limit,
        )
    ).parsed
