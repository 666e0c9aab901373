from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.act_answer_body import ActAnswerBody
from ...models.act_body import ActBody
from ...models.problem import Problem
from ...types import UNSET, Response, Unset


def _get_kwargs(
    id: str,
    *,
    body: ActBody | Unset = UNSET,
    user_id: str | Unset = UNSET,
    idempotency_key: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(idempotency_key, Unset):
        headers["Idempotency-Key"] = idempotency_key

    params: dict[str, Any] = {}

    params["user_id"] = user_id

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/v1/acts/{id}/undo".format(
            id=quote(str(id), safe=""),
        ),
        "params": params,
    }

    if not isinstance(body, Unset):
        _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> ActAnswerBody | Problem:
    if response.status_code == 200:
        response_200 = ActAnswerBody.from_dict(response.json())

        return response_200

    response_default = Problem.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[ActAnswerBody | Problem]:
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
    body: ActBody | Unset = UNSET,
    user_id: str | Unset = UNSET,
    idempotency_key: str | Unset = UNSET,
) -> Response[ActAnswerBody | Problem]:
    """Undo an act, as if it had never been

     What was forgotten does not come back, but may be suggested again.

    Args:
        id (str): The act's id, a UUID.
        user_id (str | Unset): Whom it is about. Required here or in the body, but with a user's
            token.
        idempotency_key (str | Unset):
        body (ActBody | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ActAnswerBody | Problem]
    """

    kwargs = _get_kwargs(
        id=id,
        body=body,
        user_id=user_id,
        idempotency_key=idempotency_key,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    id: str,
    *,
    client: AuthenticatedClient,
    body: ActBody | Unset = UNSET,
    user_id: str | Unset = UNSET,
    idempotency_key: str | Unset = UNSET,
) -> ActAnswerBody | Problem | None:
    """Undo an act, as if it had never been

     What was forgotten does not come back, but may be suggested again.

    Args:
        id (str): The act's id, a UUID.
        user_id (str | Unset): Whom it is about. Required here or in the body, but with a user's
            token.
        idempotency_key (str | Unset):
        body (ActBody | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ActAnswerBody | Problem
    """

    return sync_detailed(
        id=id,
        client=client,
        body=body,
        user_id=user_id,
        idempotency_key=idempotency_key,
    ).parsed


async def asyncio_detailed(
    id: str,
    *,
    client: AuthenticatedClient,
    body: ActBody | Unset = UNSET,
    user_id: str | Unset = UNSET,
    idempotency_key: str | Unset = UNSET,
) -> Response[ActAnswerBody | Problem]:
    """Undo an act, as if it had never been

     What was forgotten does not come back, but may be suggested again.

    Args:
        id (str): The act's id, a UUID.
        user_id (str | Unset): Whom it is about. Required here or in the body, but with a user's
            token.
        idempotency_key (str | Unset):
        body (ActBody | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ActAnswerBody | Problem]
    """

    kwargs = _get_kwargs(
        id=id,
        body=body,
        user_id=user_id,
        idempotency_key=idempotency_key,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    id: str,
    *,
    client: AuthenticatedClient,
    body: ActBody | Unset = UNSET,
    user_id: str | Unset = UNSET,
    idempotency_key: str | Unset = UNSET,
) -> ActAnswerBody | Problem | None:
    """Undo an act, as if it had never been

     What was forgotten does not come back, but may be suggested again.

    Args:
        id (str): The act's id, a UUID.
        user_id (str | Unset): Whom it is about. Required here or in the body, but with a user's
            token.
        idempotency_key (str | Unset):
        body (ActBody | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ActAnswerBody | Problem
    """

    return (
        await asyncio_detailed(
            id=id,
            client=client,
            body=body,
            user_id=user_id,
            idempotency_key=idempotency_key,
        )
    ).parsed
