from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.problem import Problem
from ...models.react_answer_body import ReactAnswerBody
from ...models.reaction_body import ReactionBody
from ...types import UNSET, Response, Unset


def _get_kwargs(
    t: str,
    e: str,
    *,
    body: ReactionBody,
    user_id: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}

    params: dict[str, Any] = {}

    params["user_id"] = user_id

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/v1/threads/{t}/events/{e}/reaction".format(
            t=quote(str(t), safe=""),
            e=quote(str(e), safe=""),
        ),
        "params": params,
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Problem | ReactAnswerBody:
    if response.status_code == 200:
        response_200 = ReactAnswerBody.from_dict(response.json())

        return response_200

    response_default = Problem.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[Problem | ReactAnswerBody]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    t: str,
    e: str,
    *,
    client: AuthenticatedClient,
    body: ReactionBody,
    user_id: str | Unset = UNSET,
) -> Response[Problem | ReactAnswerBody]:
    """Set the user's reaction to an event of the assistant, or take it off

    Args:
        t (str): The thread's id, a UUID.
        e (str): The event's id, a UUID.
        user_id (str | Unset): Whose thread it must be. With a user's token, that user, whatever
            is given here.
        body (ReactionBody):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | ReactAnswerBody]
    """

    kwargs = _get_kwargs(
        t=t,
        e=e,
        body=body,
        user_id=user_id,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    t: str,
    e: str,
    *,
    client: AuthenticatedClient,
    body: ReactionBody,
    user_id: str | Unset = UNSET,
) -> Problem | ReactAnswerBody | None:
    """Set the user's reaction to an event of the assistant, or take it off

    Args:
        t (str): The thread's id, a UUID.
        e (str): The event's id, a UUID.
        user_id (str | Unset): Whose thread it must be. With a user's token, that user, whatever
            is given here.
        body (ReactionBody):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | ReactAnswerBody
    """

    return sync_detailed(
        t=t,
        e=e,
        client=client,
        body=body,
        user_id=user_id,
    ).parsed


async def asyncio_detailed(
    t: str,
    e: str,
    *,
    client: AuthenticatedClient,
    body: ReactionBody,
    user_id: str | Unset = UNSET,
) -> Response[Problem | ReactAnswerBody]:
    """Set the user's reaction to an event of the assistant, or take it off

    Args:
        t (str): The thread's id, a UUID.
        e (str): The event's id, a UUID.
        user_id (str | Unset): Whose thread it must be. With a user's token, that user, whatever
            is given here.
        body (ReactionBody):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | ReactAnswerBody]
    """

    kwargs = _get_kwargs(
        t=t,
        e=e,
        body=body,
        user_id=user_id,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    t: str,
    e: str,
    *,
    client: AuthenticatedClient,
    body: ReactionBody,
    user_id: str | Unset = UNSET,
) -> Problem | ReactAnswerBody | None:
    """Set the user's reaction to an event of the assistant, or take it off

    Args:
        t (str): The thread's id, a UUID.
        e (str): The event's id, a UUID.
        user_id (str | Unset): Whose thread it must be. With a user's token, that user, whatever
            is given here.
        body (ReactionBody):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | ReactAnswerBody
    """

    return (
        await asyncio_detailed(
            t=t,
            e=e,
            client=client,
            body=body,
            user_id=user_id,
        )
    ).parsed
