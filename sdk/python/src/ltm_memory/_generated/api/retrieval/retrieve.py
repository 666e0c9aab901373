from http import HTTPStatus
from typing import Any

import httpx

from ...client import AuthenticatedClient, Client
from ...models.problem import Problem
from ...models.retrieve_answer_body import RetrieveAnswerBody
from ...models.retrieve_body import RetrieveBody
from ...types import Response


def _get_kwargs(
    *,
    body: RetrieveBody,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/v1/retrieve",
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Problem | RetrieveAnswerBody:
    if response.status_code == 200:
        response_200 = RetrieveAnswerBody.from_dict(response.json())

        return response_200

    response_default = Problem.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[Problem | RetrieveAnswerBody]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    *,
    client: AuthenticatedClient,
    body: RetrieveBody,
) -> Response[Problem | RetrieveAnswerBody]:
    """Compose what a model needs to know for a question, within a budget of tokens

     An empty answer says why it is. If the operator gave the application directories of memories, the
    context draws from these, too, but not with a filter or as_of.

    Args:
        body (RetrieveBody):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | RetrieveAnswerBody]
    """

    kwargs = _get_kwargs(
        body=body,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    *,
    client: AuthenticatedClient,
    body: RetrieveBody,
) -> Problem | RetrieveAnswerBody | None:
    """Compose what a model needs to know for a question, within a budget of tokens

     An empty answer says why it is. If the operator gave the application directories of memories, the
    context draws from these, too, but not with a filter or as_of.

    Args:
        body (RetrieveBody):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | RetrieveAnswerBody
    """

    return sync_detailed(
        client=client,
        body=body,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient,
    body: RetrieveBody,
) -> Response[Problem | RetrieveAnswerBody]:
    """Compose what a model needs to know for a question, within a budget of tokens

     An empty answer says why it is. If the operator gave the application directories of memories, the
    context draws from these, too, but not with a filter or as_of.

    Args:
        body (RetrieveBody):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | RetrieveAnswerBody]
    """

    kwargs = _get_kwargs(
        body=body,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    *,
    client: AuthenticatedClient,
    body: RetrieveBody,
) -> Problem | RetrieveAnswerBody | None:
    """Compose what a model needs to know for a question, within a budget of tokens

     An empty answer says why it is. If the operator gave the application directories of memories, the
    context draws from these, too, but not with a filter or as_of.

    Args:
        body (RetrieveBody):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | RetrieveAnswerBody
    """

    return (
        await asyncio_detailed(
            client=client,
            body=body,
        )
    ).parsed
