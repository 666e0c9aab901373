from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.import_answer_body import ImportAnswerBody
from ...models.problem import Problem
from ...types import Response


def _get_kwargs(
    user: str,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/v1/users/{user}/import".format(
            user=quote(str(user), safe=""),
        ),
    }

    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> ImportAnswerBody | Problem:
    if response.status_code == 200:
        response_200 = ImportAnswerBody.from_dict(response.json())

        return response_200

    response_default = Problem.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[ImportAnswerBody | Problem]:
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
) -> Response[ImportAnswerBody | Problem]:
    """Add what such a file has to a user

    Args:
        user (str): The user, as the application names them. With a user's token, they themselves.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ImportAnswerBody | Problem]
    """

    kwargs = _get_kwargs(
        user=user,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    user: str,
    *,
    client: AuthenticatedClient,
) -> ImportAnswerBody | Problem | None:
    """Add what such a file has to a user

    Args:
        user (str): The user, as the application names them. With a user's token, they themselves.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ImportAnswerBody | Problem
    """

    return sync_detailed(
        user=user,
        client=client,
    ).parsed


async def asyncio_detailed(
    user: str,
    *,
    client: AuthenticatedClient,
) -> Response[ImportAnswerBody | Problem]:
    """Add what such a file has to a user

    Args:
        user (str): The user, as the application names them. With a user's token, they themselves.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ImportAnswerBody | Problem]
    """

    kwargs = _get_kwargs(
        user=user,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    user: str,
    *,
    client: AuthenticatedClient,
) -> ImportAnswerBody | Problem | None:
    """Add what such a file has to a user

    Args:
        user (str): The user, as the application names them. With a user's token, they themselves.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ImportAnswerBody | Problem
    """

    return (
        await asyncio_detailed(
            user=user,
            client=client,
        )
    ).parsed
