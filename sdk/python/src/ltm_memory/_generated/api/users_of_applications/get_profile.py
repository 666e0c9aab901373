import datetime
from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.problem import Problem
from ...models.profile_answer_body import ProfileAnswerBody
from ...types import UNSET, Response, Unset


def _get_kwargs(
    user: str,
    *,
    as_of: datetime.datetime | Unset = UNSET,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    json_as_of: str | Unset = UNSET
    if not isinstance(as_of, Unset):
        json_as_of = as_of.isoformat()
    params["as_of"] = json_as_of

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/v1/users/{user}/profile".format(
            user=quote(str(user), safe=""),
        ),
        "params": params,
    }

    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Problem | ProfileAnswerBody:
    if response.status_code == 200:
        response_200 = ProfileAnswerBody.from_dict(response.json())

        return response_200

    response_default = Problem.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[Problem | ProfileAnswerBody]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    user: str,
    *,
    client: AuthenticatedClient,
    as_of: datetime.datetime | Unset = UNSET,
) -> Response[Problem | ProfileAnswerBody]:
    """Return what holds of a user: who they are, and what they do

    Args:
        user (str): The user, as the application names them. With a user's token, they themselves.
        as_of (datetime.datetime | Unset): As if it were then, by what is known now.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | ProfileAnswerBody]
    """

    kwargs = _get_kwargs(
        user=user,
        as_of=as_of,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    user: str,
    *,
    client: AuthenticatedClient,
    as_of: datetime.datetime | Unset = UNSET,
) -> Problem | ProfileAnswerBody | None:
    """Return what holds of a user: who they are, and what they do

    Args:
        user (str): The user, as the application names them. With a user's token, they themselves.
        as_of (datetime.datetime | Unset): As if it were then, by what is known now.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | ProfileAnswerBody
    """

    return sync_detailed(
        user=user,
        client=client,
        as_of=as_of,
    ).parsed


async def asyncio_detailed(
    user: str,
    *,
    client: AuthenticatedClient,
    as_of: datetime.datetime | Unset = UNSET,
) -> Response[Problem | ProfileAnswerBody]:
    """Return what holds of a user: who they are, and what they do

    Args:
        user (str): The user, as the application names them. With a user's token, they themselves.
        as_of (datetime.datetime | Unset): As if it were then, by what is known now.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | ProfileAnswerBody]
    """

    kwargs = _get_kwargs(
        user=user,
        as_of=as_of,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    user: str,
    *,
    client: AuthenticatedClient,
    as_of: datetime.datetime | Unset = UNSET,
) -> Problem | ProfileAnswerBody | None:
    """Return what holds of a user: who they are, and what they do

    Args:
        user (str): The user, as the application names them. With a user's token, they themselves.
        as_of (datetime.datetime | Unset): As if it were then, by what is known now.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | ProfileAnswerBody
    """

    return (
        await asyncio_detailed(
            user=user,
            client=client,
            as_of=as_of,
        )
    ).parsed
