from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.delete_thread_answer_body import DeleteThreadAnswerBody
from ...models.like_body import LikeBody
from ...models.problem import Problem
from ...types import UNSET, Response, Unset


def _get_kwargs(
    t: str,
    *,
    body: LikeBody | Unset = UNSET,
    user_id: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}

    params: dict[str, Any] = {}

    params["user_id"] = user_id

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "delete",
        "url": "/v1/threads/{t}".format(
            t=quote(str(t), safe=""),
        ),
        "params": params,
    }

    if not isinstance(body, Unset):
        _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> DeleteThreadAnswerBody | Problem:
    if response.status_code == 200:
        response_200 = DeleteThreadAnswerBody.from_dict(response.json())

        return response_200

    response_default = Problem.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[DeleteThreadAnswerBody | Problem]:
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
    body: LikeBody | Unset = UNSET,
    user_id: str | Unset = UNSET,
) -> Response[DeleteThreadAnswerBody | Problem]:
    """Delete a thread with all that follows from it alone

     The answer is the same for a thread that does not exist and one that is not the user's.

    Args:
        t (str): The thread's id, a UUID.
        user_id (str | Unset): Whose thread it must be. With a user's token, that user, whatever
            is given here.
        body (LikeBody | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[DeleteThreadAnswerBody | Problem]
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
    body: LikeBody | Unset = UNSET,
    user_id: str | Unset = UNSET,
) -> DeleteThreadAnswerBody | Problem | None:
    """Delete a thread with all that follows from it alone

     The answer is the same for a thread that does not exist and one that is not the user's.

    Args:
        t (str): The thread's id, a UUID.
        user_id (str | Unset): Whose thread it must be. With a user's token, that user, whatever
            is given here.
        body (LikeBody | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        DeleteThreadAnswerBody | Problem
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
    body: LikeBody | Unset = UNSET,
    user_id: str | Unset = UNSET,
) -> Response[DeleteThreadAnswerBody | Problem]:
    """Delete a thread with all that follows from it alone

     The answer is the same for a thread that does not exist and one that is not the user's.

    Args:
        t (str): The thread's id, a UUID.
        user_id (str | Unset): Whose thread it must be. With a user's token, that user, whatever
            is given here.
        body (LikeBody | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[DeleteThreadAnswerBody | Problem]
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
    body: LikeBody | Unset = UNSET,
    user_id: str | Unset = UNSET,
) -> DeleteThreadAnswerBody | Problem | None:
    """Delete a thread with all that follows from it alone

     The answer is the same for a thread that does not exist and one that is not the user's.

    Args:
        t (str): The thread's id, a UUID.
        user_id (str | Unset): Whose thread it must be. With a user's token, that user, whatever
            is given here.
        body (LikeBody | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        DeleteThreadAnswerBody | Problem
    """

    return (
        await asyncio_detailed(
            t=t,
            client=client,
            body=body,
            user_id=user_id,
        )
    ).parsed
