import datetime
from http import HTTPStatus
from typing import Any

import httpx

from ...client import AuthenticatedClient, Client
from ...models.list_claims_answer_body import ListClaimsAnswerBody
from ...models.problem import Problem
from ...types import UNSET, Response, Unset


def _get_kwargs(
    *,
    user_id: str | Unset = UNSET,
    bucket: str | Unset = UNSET,
    state: str | Unset = UNSET,
    as_of: datetime.datetime | Unset = UNSET,
    filter_: str | Unset = UNSET,
    limit: int | Unset = UNSET,
    cursor: str | Unset = UNSET,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["user_id"] = user_id

    params["bucket"] = bucket

    params["state"] = state

    json_as_of: str | Unset = UNSET
    if not isinstance(as_of, Unset):
        json_as_of = as_of.isoformat()
    params["as_of"] = json_as_of

    params["filter"] = filter_

    params["limit"] = limit

    params["cursor"] = cursor

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/v1/claims",
        "params": params,
    }

    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> ListClaimsAnswerBody | Problem:
    if response.status_code == 200:
        response_200 = ListClaimsAnswerBody.from_dict(response.json())

        return response_200

    response_default = Problem.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[ListClaimsAnswerBody | Problem]:
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
    bucket: str | Unset = UNSET,
    state: str | Unset = UNSET,
    as_of: datetime.datetime | Unset = UNSET,
    filter_: str | Unset = UNSET,
    limit: int | Unset = UNSET,
    cursor: str | Unset = UNSET,
) -> Response[ListClaimsAnswerBody | Problem]:
    """List the claims about a user, the surest first

    Args:
        user_id (str | Unset): Whose claims. Required, but with a user's token.
        bucket (str | Unset): Only these buckets, separated by commas.
        state (str | Unset): Only these states, separated by commas.
        as_of (datetime.datetime | Unset): Only what was true then, by what is known now.
        filter_ (str | Unset): A condition, as JSON.
        limit (int | Unset): How many, from 1 to 200. Default: 50.
        cursor (str | Unset): Where the page before ended: its next.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ListClaimsAnswerBody | Problem]
    """

    kwargs = _get_kwargs(
        user_id=user_id,
        bucket=bucket,
        state=state,
        as_of=as_of,
        filter_=filter_,
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
    bucket: str | Unset = UNSET,
    state: str | Unset = UNSET,
    as_of: datetime.datetime | Unset = UNSET,
    filter_: str | Unset = UNSET,
    limit: int | Unset = UNSET,
    cursor: str | Unset = UNSET,
) -> ListClaimsAnswerBody | Problem | None:
    """List the claims about a user, the surest first

    Args:
        user_id (str | Unset): Whose claims. Required, but with a user's token.
        bucket (str | Unset): Only these buckets, separated by commas.
        state (str | Unset): Only these states, separated by commas.
        as_of (datetime.datetime | Unset): Only what was true then, by what is known now.
        filter_ (str | Unset): A condition, as JSON.
        limit (int | Unset): How many, from 1 to 200. Default: 50.
        cursor (str | Unset): Where the page before ended: its next.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ListClaimsAnswerBody | Problem
    """

    return sync_detailed(
        client=client,
        user_id=user_id,
        bucket=bucket,
        state=state,
        as_of=as_of,
        filter_=filter_,
        limit=limit,
        cursor=cursor,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient,
    user_id: str | Unset = UNSET,
    bucket: str | Unset = UNSET,
    state: str | Unset = UNSET,
    as_of: datetime.datetime | Unset = UNSET,
    filter_: str | Unset = UNSET,
    limit: int | Unset = UNSET,
    cursor: str | Unset = UNSET,
) -> Response[ListClaimsAnswerBody | Problem]:
    """List the claims about a user, the surest first

    Args:
        user_id (str | Unset): Whose claims. Required, but with a user's token.
        bucket (str | Unset): Only these buckets, separated by commas.
        state (str | Unset): Only these states, separated by commas.
        as_of (datetime.datetime | Unset): Only what was true then, by what is known now.
        filter_ (str | Unset): A condition, as JSON.
        limit (int | Unset): How many, from 1 to 200. Default: 50.
        cursor (str | Unset): Where the page before ended: its next.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ListClaimsAnswerBody | Problem]
    """

    kwargs = _get_kwargs(
        user_id=user_id,
        bucket=bucket,
        state=state,
        as_of=as_of,
        filter_=filter_,
        limit=limit,
        cursor=cursor,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    *,
    client: AuthenticatedClient,
    user_id: str | Unset = UNSET,
    bucket: str | Unset = UNSET,
    state: str | Unset = UNSET,
    as_of: datetime.datetime | Unset = UNSET,
    filter_: str | Unset = UNSET,
    limit: int | Unset = UNSET,
    cursor: str | Unset = UNSET,
) -> ListClaimsAnswerBody | Problem | None:
    """List the claims about a user, the surest first

    Args:
        user_id (str | Unset): Whose claims. Required, but with a user's token.
        bucket (str | Unset): Only these buckets, separated by commas.
        state (str | Unset): Only these states, separated by commas.
        as_of (datetime.datetime | Unset): Only what was true then, by what is known now.
        filter_ (str | Unset): A condition, as JSON.
        limit (int | Unset): How many, from 1 to 200. Default: 50.
        cursor (str | Unset): Where the page before ended: its next.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ListClaimsAnswerBody | Problem
    """

    return (
        await asyncio_detailed(
            client=client,
            user_id=user_id,
            bucket=bucket,
            state=state,
            as_of=as_of,
            filter_=filter_,
            limit=limit,
            cursor=cursor,
        )
    ).parsed
