from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.list_events_answer_body import ListEventsAnswerBody
from ...models.problem import Problem
from ...types import UNSET, Response, Unset


def _get_kwargs(
    t: str,
    *,
    user_id: str | Unset = UNSET,
    limit: int | Unset = UNSET,
    cursor: str | Unset = UNSET,
    filter_: str | Unset = UNSET,
    detail: bool | Unset = UNSET,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["user_id"] = user_id

    params["limit"] = limit

    params["cursor"] = cursor

    params["filter"] = filter_

    params["detail"] = detail

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/v1/threads/{t}/events".format(
            t=quote(str(t), safe=""),
        ),
        "params": params,
    }

    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> ListEventsAnswerBody | Problem:
    if response.status_code == 200:
        response_200 = ListEventsAnswerBody.from_dict(response.json())

        return response_200

    response_default = Problem.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[ListEventsAnswerBody | Problem]:
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
    user_id: str | Unset = UNSET,
    limit: int | Unset = UNSET,
    cursor: str | Unset = UNSET,
    filter_: str | Unset = UNSET,
    detail: bool | Unset = UNSET,
) -> Response[ListEventsAnswerBody | Problem]:
    """List the newest events of a thread, the oldest of them first

     The user's reaction to an event is in its meta.

    Args:
        t (str): The thread's id, a UUID.
        user_id (str | Unset): Whose thread it must be. With a user's token, that user, whatever
            is given here.
        limit (int | Unset): How many, from 1 to 200. Default: 100.
        cursor (str | Unset): For the events before those of another page: its next.
        filter_ (str | Unset): A condition, as JSON.
        detail (bool | Unset): Also list what the client said of the events, and their importance.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ListEventsAnswerBody | Problem]
    """

    kwargs = _get_kwargs(
        t=t,
        user_id=user_id,
        limit=limit,
        cursor=cursor,
        filter_=filter_,
        detail=detail,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    t: str,
    *,
    client: AuthenticatedClient,
    user_id: str | Unset = UNSET,
    limit: int | Unset = UNSET,
    cursor: str | Unset = UNSET,
    filter_: str | Unset = UNSET,
    detail: bool | Unset = UNSET,
) -> ListEventsAnswerBody | Problem | None:
    """List the newest events of a thread, the oldest of them first

     The user's reaction to an event is in its meta.

    Args:
        t (str): The thread's id, a UUID.
        user_id (str | Unset): Whose thread it must be. With a user's token, that user, whatever
            is given here.
        limit (int | Unset): How many, from 1 to 200. Default: 100.
        cursor (str | Unset): For the events before those of another page: its next.
        filter_ (str | Unset): A condition, as JSON.
        detail (bool | Unset): Also list what the client said of the events, and their importance.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ListEventsAnswerBody | Problem
    """

    return sync_detailed(
        t=t,
        client=client,
        user_id=user_id,
        limit=limit,
        cursor=cursor,
        filter_=filter_,
        detail=detail,
    ).parsed


async def asyncio_detailed(
    t: str,
    *,
    client: AuthenticatedClient,
    user_id: str | Unset = UNSET,
    limit: int | Unset = UNSET,
    cursor: str | Unset = UNSET,
    filter_: str | Unset = UNSET,
    detail: bool | Unset = UNSET,
) -> Response[ListEventsAnswerBody | Problem]:
    """List the newest events of a thread, the oldest of them first

     The user's reaction to an event is in its meta.

    Args:
        t (str): The thread's id, a UUID.
        user_id (str | Unset): Whose thread it must be. With a user's token, that user, whatever
            is given here.
        limit (int | Unset): How many, from 1 to 200. Default: 100.
        cursor (str | Unset): For the events before those of another page: its next.
        filter_ (str | Unset): A condition, as JSON.
        detail (bool | Unset): Also list what the client said of the events, and their importance.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ListEventsAnswerBody | Problem]
    """

    kwargs = _get_kwargs(
        t=t,
        user_id=user_id,
        limit=limit,
        cursor=cursor,
        filter_=filter_,
        detail=detail,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    t: str,
    *,
    client: AuthenticatedClient,
    user_id: str | Unset = UNSET,
    limit: int | Unset = UNSET,
    cursor: str | Unset = UNSET,
    filter_: str | Unset = UNSET,
    detail: bool | Unset = UNSET,
) -> ListEventsAnswerBody | Problem | None:
    """List the newest events of a thread, the oldest of them first

     The user's reaction to an event is in its meta.

    Args:
        t (str): The thread's id, a UUID.
        user_id (str | Unset): Whose thread it must be. With a user's token, that user, whatever
            is given here.
        limit (int | Unset): How many, from 1 to 200. Default: 100.
        cursor (str | Unset): For the events before those of another page: its next.
        filter_ (str | Unset): A condition, as JSON.
        detail (bool | Unset): Also list what the client said of the events, and their importance.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ListEventsAnswerBody | Problem
    """

    return (
        await asyncio_detailed(
            t=t,
            client=client,
            user_id=user_id,
            limit=limit,
            cursor=cursor,
            filter_=filter_,
            detail=detail,
        )
    ).parsed
