import { ConnectionFailed, refusal, retryAfter } from './errors.js';

/** What sends a request: the fetch of the platform, or one of your own, for proxies or tests. */
export type Fetch = (request: Request) => Promise<Response>;

/** Milliseconds. A server that asks for a longer wait gets no second request. */
const longestWait = 10_000;

/** Returns the address without a slash at its end, or throws a TypeError. */
export function checkedURL(url: string | undefined, key: string | undefined, insecure: boolean): string {
  url ??= '';
  const parts = URL.canParse(url) ? new URL(url) : undefined;
  if (!parts?.hostname || !/^https?:$/.test(parts.protocol)) {
    throw new TypeError(`the server's address ${url ? 'must be' : 'is missing; it is'} like https://memory.example.org`);
  }
  if (parts.username || parts.password || parts.search || parts.hash) {
    throw new TypeError("the server's address must have no user, query or fragment");
  }
  if (!/^[!-~]+$/.test(key ?? '')) {
    throw new TypeError(`the key ${key ? 'must be' : 'is missing; it is'} visible ASCII without blanks; ltm-server key issue makes one`);
  }
  if (parts.protocol === 'http:' && !insecure && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(parts.hostname)) {
    throw new TypeError(
      `the address ${url} is not encrypted: others on the way could read the key; insecure: true allows it`,
    );
  }
  return url.replace(/\/+$/, '');
}

/** Returns a request's body, or throws a TypeError for a text that UTF-8 cannot have: it would arrive as another one. */
export function encoded(body: unknown): string {
  return JSON.stringify(body, (_, value: unknown) => {
    if (typeof value === 'string' && !value.isWellFormed()) {
      throw new TypeError(`a text has half of a surrogate pair: ${JSON.stringify(value.slice(0, 100))}; text.toWellFormed() replaces it`);
    }
    return value;
  });
}

/** Returns a fetch that sends requests again where that does no harm, and rejects with refusals. */
export function retrying(send: Fetch, attempts: number, timeout: number): Fetch {
  return async (request) => {
    for (let attempt = 1; ; attempt++) {
      let response: Response | undefined;
      let cause: unknown;
      try {
        const signal = AbortSignal.any([request.signal, AbortSignal.timeout(timeout)]);
        response = await send(new Request(request.clone(), { signal, redirect: 'manual' }));
      } catch (e) {
        request.signal.throwIfAborted();
        cause = e;
      }
      if (response?.ok && response.headers.get('Content-Type')?.startsWith('application/')) {
        return response;
      }
      const wait = attempt < attempts ? waitBefore(attempt, request, response) : undefined;
      if (wait === undefined) {
        if (response) throw await refusal(response);
        throw new ConnectionFailed(`${request.method} ${request.url}: ${reason(cause)}`, { cause });
      }
      await response?.body?.cancel();
      await new Promise((done) => setTimeout(done, wait));
    }
  };
}

function reason(e: unknown): string {
  const deeper = e instanceof Error && e.cause instanceof Error ? `: ${e.cause.message}` : '';
  return (e instanceof Error ? e.message : String(e)) + deeper;
}

/**
 * Returns the milliseconds before another attempt, or undefined for none. 429 means that nothing was done; 409 with
 * Retry-After, that the attempt before is still being answered.
 */
function waitBefore(attempt: number, request: Request, response: Response | undefined): number | undefined {
  const wait = 200 * attempt;
  if (!response) return repeatable(request) ? wait : undefined;
  const after = retryAfter(response);
  const again =
    response.status === 429 ||
    (repeatable(request) && (response.status === 503 || (response.status === 409 && after !== undefined)));
  const longer = Math.max(wait, 1000 * (after ?? 0));
  return again && longer <= longestWait ? longer : undefined;
}

/** Reports whether sending a request twice does what sending it once does. */
function repeatable(request: Request): boolean {
  return (
    request.method === 'GET' ||
    request.headers.has('Idempotency-Key') ||
    /\/(v1\/retrieve|v1\/search|memory-context)$/.test(new URL(request.url).pathname)
  );
}
