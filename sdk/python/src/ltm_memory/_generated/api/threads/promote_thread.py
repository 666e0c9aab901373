from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.like_body import LikeBody
from ...models.problem import Problem
from ...models.promote_answer_body import PromoteAnswerBody
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
        "method": "post",
        "url": "/v1/threads/{t}/promote-core-memory".format(
            t=quote(str(t), safe=""),
        ),
        "params": params,
    }

    if not isinstance(body, Unset):
        _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Problem | PromoteAnswerBody:
    if response.status_code == 200:
        response_200 = PromoteAnswerBody.from_dict(response.json())

        return response_200

    response_default = Problem.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[Problem | PromoteAnswerBody]:
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
) -> Response[Problem | PromoteAnswerBody]:
    """Mark a thread as core memory, and summarize what has not been yet

     The summary in the answer is as the route for a thread's summary returns it.

    Args:
        t (str): The thread's id, a UUID.
        user_id (str | Unset): Whose thread it must be. With a user's token, that user, whatever
            is given here.
        body (LikeBody | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | PromoteAnswerBody]
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
) -> Problem | PromoteAnswerBody | None:
    """Mark a thread as core memory, and summarize what has not been yet

     The summary in the answer is as the route for a thread's summary returns it.

    Args:
        t (str): The thread's id, a UUID.
        user_id (str | Unset): Whose thread it must be. With a user's token, that user, whatever
            is given here.
        body (LikeBody | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | PromoteAnswerBody
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
) -> Response[Problem | PromoteAnswerBody]:
    """Mark a thread as core memory, and summarize what has not been yet

     The summary in the answer is as the route for a thread's summary returns it.

    Args:
        t (str): The thread's id, a UUID.
        user_id (str | Unset): Whose thread it must be. With a user's token, that user, whatever
            is given here.
        body (LikeBody | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | PromoteAnswerBody]
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
) -> Problem | PromoteAnswerBody | None:
    """Mark a thread as core memory, and summarize what has not been yet

     The summary in the answer is as the route for a thread's summary returns it.

    Args:
        t (str): The thread's id, a UUID.
        user_id (str | Unset): Whose thread it must be. With a user's token, that user, whatever
            is given here.
        body (LikeBody | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | PromoteAnswerBody
    """

    return (
        await asyncio_detailed(
            t=t,
            client=client,
            body=body,
            user_id=user_id,
        )
    ).parsed
