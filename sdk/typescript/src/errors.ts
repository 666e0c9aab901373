/** Any failure of a request. */
export class LTMError extends Error {
  override name = this.constructor.name;
}

/** No answer of the server arrived, or only a part of one, or not in time. */
export class ConnectionFailed extends LTMError {}

/** The server refused some of the messages. The others are stored. */
export class MessagesRefused extends LTMError {
  /** Why, by the place of a message in the list that was added. */
  readonly reasons: ReadonlyMap<number, string>;
  /** An id for each message, null if it is not stored. */
  readonly ids: readonly (string | null)[];

  constructor(reasons: ReadonlyMap<number, string>, ids: readonly (string | null)[]) {
    const [place, why] = [...reasons][0] ?? [0, ''];
    const short = why.replace(/; nothing was changed$/, '');
    super(`${reasons.size} of ${ids.length} messages refused, the others are stored; [${place}]: ${short}`);
    this.reasons = reasons;
    this.ids = ids;
  }
}

/** The server refused a request. */
export class APIError extends LTMError {
  constructor(
    /** HTTP's status. */
    readonly status: number,
    /** The server's name of the problem, such as "not-found"; empty if something else than ltm-server answered. */
    readonly kind: string,
    /** What was wrong, and what is allowed. */
    readonly detail: string,
    /** Names the request in the server's log. */
    readonly requestId = '',
    /** In how many seconds to try again, if the server said so. */
    readonly retryAfter?: number,
  ) {
    super(`the server answered ${status}: ${detail}`);
  }
}

/** 400, 413 or 422: the request is not what the server takes. The detail says what it allows. */
export class InvalidRequest extends APIError {}
/** 401 or 403: the key or token is not valid, or may not do this. */
export class Unauthorized extends APIError {}
/** 404: there is no such thing, or it is another user's. */
export class NotFound extends APIError {}
/** 409: it is taken, or its state does not allow this. */
export class Conflict extends APIError {}
/** 410: the cursor is older than what the server still lists. */
export class Gone extends APIError {}
/** 429: too many requests, still after the retries. */
export class RateLimited extends APIError {}
/** 5xx: the server, its database or its model cannot answer now. */
export class Unavailable extends APIError {}

const byStatus = new Map<number, typeof APIError>([
  [400, InvalidRequest],
  [413, InvalidRequest],
  [422, InvalidRequest],
  [401, Unauthorized],
  [403, Unauthorized],
  [404, NotFound],
  [409, Conflict],
  [410, Gone],
  [429, RateLimited],
]);

/** Returns the error for an answer that is no success. Its body is a problem document, or anything else from a proxy. */
export async function refusal(response: Response): Promise<APIError> {
  const known = byStatus.get(response.status) ?? (response.status >= 500 ? Unavailable : APIError);
  const after = retryAfter(response);
  let body: { detail?: unknown; type?: unknown; request_id?: unknown } | null = null;
  try {
    body = JSON.parse(await response.text());
  } catch {
    // no problem document
  }
  if (typeof body?.detail !== 'string') {
    return new known(response.status, '', 'an answer that ltm-server does not give', '', after);
  }
  const type = String(body.type ?? '');
  const kind = type.slice(type.lastIndexOf('#') + 1);
  return new known(response.status, kind, body.detail, String(body.request_id ?? ''), after);
}

/** Returns the seconds of a Retry-After. ltm-server gives no dates there. */
export function retryAfter(response: Response): number | undefined {
  const text = response.headers.get('Retry-After') ?? '';
  return /^\d{1,8}$/.test(text) ? Number(text) : undefined;
}
