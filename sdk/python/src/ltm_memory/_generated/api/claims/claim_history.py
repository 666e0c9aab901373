from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.claim_history_answer_body import ClaimHistoryAnswerBody
from ...models.problem import Problem
from ...types import UNSET, Response, Unset


def _get_kwargs(
    id: str,
    *,
    user_id: str | Unset = UNSET,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["user_id"] = user_id

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/v1/claims/{id}/history".format(
            id=quote(str(id), safe=""),
        ),
        "params": params,
    }

    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> ClaimHistoryAnswerBody | Problem:
    if response.status_code == 200:
        response_200 = ClaimHistoryAnswerBody.from_dict(response.json())

        return response_200

    response_default = Problem.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[ClaimHistoryAnswerBody | Problem]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    id: str,
    *,
    client: AuthenticatedClient,
    user_id: str | Unset = UNSET,
) -> Response[ClaimHistoryAnswerBody | Problem]:
    """List what was done with a claim, the oldest first

    Args:
        id (str): The claim's id, a UUID.
        user_id (str | Unset): Whom it is about. Required, but with a user's token.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ClaimHistoryAnswerBody | Problem]
    """

    kwargs = _get_kwargs(
        id=id,
        user_id=user_id,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    id: str,
    *,
    client: AuthenticatedClient,
    user_id: str | Unset = UNSET,
) -> ClaimHistoryAnswerBody | Problem | None:
    """List what was done with a claim, the oldest first

    Args:
        id (str): The claim's id, a UUID.
        user_id (str | Unset): Whom it is about. Required, but with a user's token.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ClaimHistoryAnswerBody | Problem
    """

    return sync_detailed(
        id=id,
        client=client,
        user_id=user_id,
    ).parsed


async def asyncio_detailed(
    id: str,
    *,
    client: AuthenticatedClient,
    user_id: str | Unset = UNSET,
) -> Response[ClaimHistoryAnswerBody | Problem]:
    """List what was done with a claim, the oldest first

    Args:
        id (str): The claim's id, a UUID.
        user_id (str | Unset): Whom it is about. Required, but with a user's token.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ClaimHistoryAnswerBody | Problem]
    """

    kwargs = _get_kwargs(
        id=id,
        user_id=user_id,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    id: str,
    *,
    client: AuthenticatedClient,
    user_id: str | Unset = UNSET,
) -> ClaimHistoryAnswerBody | Problem | None:
    """List what was done with a claim, the oldest first

    Args:
        id (str): The claim's id, a UUID.
        user_id (str | Unset): Whom it is about. Required, but with a user's token.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ClaimHistoryAnswerBody | Problem
    """

    return (
        await asyncio_detailed(
            id=id,
            client=client,
            user_id=user_id,
        )
    ).parsed
