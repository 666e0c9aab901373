from http import HTTPStatus
from typing import Any

import httpx

from ...client import AuthenticatedClient, Client
from ...models.create_thread_answer_body import CreateThreadAnswerBody
from ...models.problem import Problem
from ...models.thread_body import ThreadBody
from ...types import UNSET, Response, Unset


def _get_kwargs(
    *,
    body: ThreadBody,
    idempotency_key: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(idempotency_key, Unset):
        headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/v1/threads",
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> CreateThreadAnswerBody | Problem:
    if response.status_code == 200:
        response_200 = CreateThreadAnswerBody.from_dict(response.json())

        return response_200

    response_default = Problem.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[CreateThreadAnswerBody | Problem]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    *,
    client: AuthenticatedClient,
    body: ThreadBody,
    idempotency_key: str | Unset = UNSET,
) -> Response[CreateThreadAnswerBody | Problem]:
    """Start a thread, which is one conversation of one user

    Args:
        idempotency_key (str | Unset):
        body (ThreadBody):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[CreateThreadAnswerBody | Problem]
    """

    kwargs = _get_kwargs(
        body=body,
        idempotency_key=idempotency_key,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    *,
    client: AuthenticatedClient,
    body: ThreadBody,
    idempotency_key: str | Unset = UNSET,
) -> CreateThreadAnswerBody | Problem | None:
    """Start a thread, which is one conversation of one user

    Args:
        idempotency_key (str | Unset):
        body (ThreadBody):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        CreateThreadAnswerBody | Problem
    """

    return sync_detailed(
        client=client,
        body=body,
        idempotency_key=idempotency_key,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient,
    body: ThreadBody,
    idempotency_key: str | Unset = UNSET,
) -> Response[CreateThreadAnswerBody | Problem]:
    """Start a thread, which is one conversation of one user

    Args:
        idempotency_key (str | Unset):
        body (ThreadBody):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[CreateThreadAnswerBody | Problem]
    """

    kwargs = _get_kwargs(
        body=body,
        idempotency_key=idempotency_key,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    *,
    client: AuthenticatedClient,
    body: ThreadBody,
    idempotency_key: str | Unset = UNSET,
) -> CreateThreadAnswerBody | Problem | None:
    """Start a thread, which is one conversation of one user

    Args:
        idempotency_key (str | Unset):
        body (ThreadBody):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        CreateThreadAnswerBody | Problem
    """

    return (
        await asyncio_detailed(
            client=client,
            body=body,
            idempotency_key=idempotency_key,
        )
    ).parsed
