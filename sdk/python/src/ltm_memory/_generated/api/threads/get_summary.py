from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.problem import Problem
from ...models.summary_answer_body import SummaryAnswerBody
from ...types import UNSET, Response, Unset


def _get_kwargs(
    t: str,
    *,
    user_id: str | Unset = UNSET,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["user_id"] = user_id

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/v1/threads/{t}/summary".format(
            t=quote(str(t), safe=""),
        ),
        "params": params,
    }

    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Problem | SummaryAnswerBody:
    if response.status_code == 200:
        response_200 = SummaryAnswerBody.from_dict(response.json())

        return response_200

    response_default = Problem.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[Problem | SummaryAnswerBody]:
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
) -> Response[Problem | SummaryAnswerBody]:
    """Return the summary of a thread's latest episode; null without one

     Without the sentences that state claims which do not hold now, as in a context.

    Args:
        t (str): The thread's id, a UUID.
        user_id (str | Unset): Whose thread it must be. With a user's token, that user, whatever
            is given here.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | SummaryAnswerBody]
    """

    kwargs = _get_kwargs(
        t=t,
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
    user_id: str | Unset = UNSET,
) -> Problem | SummaryAnswerBody | None:
    """Return the summary of a thread's latest episode; null without one

     Without the sentences that state claims which do not hold now, as in a context.

    Args:
        t (str): The thread's id, a UUID.
        user_id (str | Unset): Whose thread it must be. With a user's token, that user, whatever
            is given here.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | SummaryAnswerBody
    """

    return sync_detailed(
        t=t,
        client=client,
        user_id=user_id,
    ).parsed


async def asyncio_detailed(
    t: str,
    *,
    client: AuthenticatedClient,
    user_id: str | Unset = UNSET,
) -> Response[Problem | SummaryAnswerBody]:
    """Return the summary of a thread's latest episode; null without one

     Without the sentences that state claims which do not hold now, as in a context.

    Args:
        t (str): The thread's id, a UUID.
        user_id (str | Unset): Whose thread it must be. With a user's token, that user, whatever
            is given here.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | SummaryAnswerBody]
    """

    kwargs = _get_kwargs(
        t=t,
        user_id=user_id,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    t: str,
    *,
    client: AuthenticatedClient,
    user_id: str | Unset = UNSET,
) -> Problem | SummaryAnswerBody | None:
    """Return the summary of a thread's latest episode; null without one

     Without the sentences that state claims which do not hold now, as in a context.

    Args:
        t (str): The thread's id, a UUID.
        user_id (str | Unset): Whose thread it must be. With a user's token, that user, whatever
            is given here.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | SummaryAnswerBody
    """

    return (
        await asyncio_detailed(
            t=t,
            client=client,
            user_id=user_id,
        )
    ).parsed
