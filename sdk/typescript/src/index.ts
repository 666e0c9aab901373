/**
 * A memory for chat applications and agents: the client of ltm-server.
 *
 *     import { Memory } from 'ltm-memory';
 *
 *     const ann = new Memory('http://127.0.0.1:5860', key).user('ann');
 *     await ann.add('I live in Rome. My cat is called Socks.');
 *     console.log((await ann.context('what is the name of her cat?')).memory);
 */
import { createClient, type Client } from './generated/client/index.js';
import {
  addClaim,
  addEvents,
  confirmClaim,
  correctClaim,
  createThread,
  deleteEvent,
  deleteThread,
  eraseUser,
  getProfile,
  getSummary,
  listClaims,
  listEvents,
  listThreads,
  rejectClaim,
  retrieve,
  search,
  undoAct,
  type ActAnswerBody,
  type AddClaimAnswerBody,
  type AddEventsAnswerBody,
  type BatchEvent,
  type ClaimBody,
  type ClaimEntry,
  type DeleteEventAnswerBody,
  type DeleteThreadAnswerBody,
  type EraseAnswerBody,
  type EventEntry,
  type HitEntry,
  type ProfileAnswerBody,
  type RetrieveAnswerBody,
  type SummaryAnswerBody,
  type ThreadEntry,
} from './generated/index.js';
import { ConnectionFailed, Conflict, MessagesRefused, NotFound } from './errors.js';
import { asked, batches, type Messages } from './messages.js';
import { checkedURL, encoded, retrying, type Fetch } from './transport.js';

export * from './errors.js';
export type { Message, Messages, Part } from './messages.js';
export type { Fetch } from './transport.js';
export type {
  ActAnswerBody,
  AddClaimAnswerBody,
  ClaimEntry,
  DeleteEventAnswerBody,
  DeleteThreadAnswerBody,
  EraseAnswerBody,
  EventEntry,
  HitEntry,
  ProfileAnswerBody,
  RetrieveAnswerBody,
  SummaryAnswerBody,
  ThreadEntry,
};

/** The namespace of the ids of threads that users have without naming one; sdk/python has the same. */
const usersThreads = '0f0d0c38-6c5d-5e0e-9d0c-3f6f9f8f2b51';

export interface MemoryOptions {
  /** The JWT of a user, for applications with an issuer. */
  userToken?: string;
  /** Milliseconds that one attempt may take. Default: 30,000. */
  timeout?: number;
  /** How often a request is sent that may be repeated. Default: 3. */
  attempts?: number;
  /** Lets the key go over http to other machines, where others on the way can read it. */
  insecure?: boolean;
  /** Replaces the platform's fetch. */
  fetch?: Fetch;
}

/** The memory that one application has on a server. It holds nothing that must be closed. */
export class Memory {
  readonly #client: Client;

  /** Sends nothing. Throws a TypeError for an address or key that cannot be used. */
  constructor(url: string | undefined, key: string | undefined, options: MemoryOptions = {}) {
    const baseUrl = checkedURL(url, key, options.insecure ?? false);
    const headers: Record<string, string> = { 'X-API-Key': key ?? '' };
    if (options.userToken) headers['Authorization'] = `Bearer ${options.userToken}`;
    const send = retrying(options.fetch ?? ((r) => fetch(r)), options.attempts ?? 3, options.timeout ?? 30_000);
    this.#client = createClient({
      baseUrl,
      headers,
      bodySerializer: encoded,
      fetch: send as typeof fetch,
    });
  }

  /** Returns a user's memory. The server knows a user from the first message on. */
  user(id: string): User {
    if (typeof id !== 'string' || /^\.{0,2}$/.test(id) || !id.isWellFormed()) {
      throw new TypeError(`a user's id is a text of Unicode, and neither empty nor dots alone, not ${JSON.stringify(id)}`);
    }
    return new User(this.#client, id);
  }
}

/** What an application remembers of one user. Memory.user makes it. */
export class User {
  readonly #client: Client;

  /** @internal */
  constructor(
    client: Client,
    readonly id: string,
  ) {
    this.#client = client;
  }

  /** Returns a conversation with the user: that with an id, a UUID, or a new one. Its first message stores it. */
  thread(id: string = crypto.randomUUID(), title = ''): Thread {
    if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) {
      throw new TypeError(`a thread's id is a UUID, such as that of an earlier thread, not ${JSON.stringify(id)}`);
    }
    return new Thread(this.#client, this.id, id, title);
  }

  /** Stores messages in the user's own thread, which is one for all programs. See Thread.add. */
  async add(messages: Messages): Promise<(string | null)[]> {
    return this.thread(await named(usersThreads, this.id)).add(messages);
  }

  /**
   * Composes what a model needs to know for a question, in at most budget tokens. memory of the answer is the text
   * for the model; empty says why there is none.
   */
  async context(
    question: string,
    budget = 1000,
    options: { asOf?: Date; explain?: boolean } = {},
  ): Promise<RetrieveAnswerBody> {
    const body = { query: asked(question), budget, user_id: this.id, as_of: options.asOf?.toISOString(), explain: options.explain };
    return done(await retrieve({ client: this.#client, throwOnError: true, body }));
  }

  /** Finds events, summaries and claims, the best first. */
  async search(query: string, limit = 10, options: { kinds?: string[] } = {}): Promise<HitEntry[]> {
    const body = { query: asked(query), limit, user_id: this.id, kinds: options.kinds };
    return done(await search({ client: this.#client, throwOnError: true, body })).results;
  }

  /** Returns what holds about the user: static is what they are, dynamic what they are about. */
  async profile(): Promise<ProfileAnswerBody> {
    return done(await getProfile({ client: this.#client, throwOnError: true, path: { user: this.id } }));
  }

  /**
   * Goes through the claims about the user, the surest first. The state is one, such as "suggested", or several, such
   * as "active,suggested".
   */
  async *claims(state = 'active', options: { bucket?: string } = {}): AsyncGenerator<ClaimEntry, void> {
    for (let cursor: string | undefined; ; ) {
      const query = { user_id: this.id, state, bucket: options.bucket, cursor };
      const page = done(await listClaims({ client: this.#client, throwOnError: true, query }));
      yield* page.claims;
      if (!(cursor = page.next)) return;
    }
  }

  /** Adds a claim about the user, such as ("CONSTRAINTS", "is allergic to nuts"). */
  async state(bucket: ClaimBody['bucket'], text: string, options: { suggest?: boolean } = {}): Promise<AddClaimAnswerBody> {
    const body = { bucket, text, user_id: this.id, suggest: options.suggest };
    return done(await addClaim({ client: this.#client, throwOnError: true, body, headers: once() }));
  }

  /** Lets a suggested claim count. */
  async confirm(claim: string, note?: string): Promise<ActAnswerBody> {
    return done(await confirmClaim(this.#act(claim, { note })));
  }

  /** Says that a claim is not true. It is not suggested again. */
  async reject(claim: string, note?: string): Promise<ActAnswerBody> {
    return done(await rejectClaim(this.#act(claim, { note })));
  }

  /** Replaces a claim by what is true instead. */
  async correct(
    claim: string,
    text: string,
    options: { validFrom?: Date; note?: string } = {},
  ): Promise<ActAnswerBody> {
    const body = { text, note: options.note, valid_from: options.validFrom?.toISOString() };
    return done(await correctClaim(this.#act(claim, body)));
  }

  /** Takes an act on a claim back: act.id of its answer. */
  async undo(act: string): Promise<ActAnswerBody> {
    return done(await undoAct(this.#act(act, {})));
  }

  /** Goes through the user's threads, the newest first. */
  async *threads(): AsyncGenerator<ThreadEntry, void> {
    for (let cursor: string | undefined; ; ) {
      const query = { user_id: this.id, cursor };
      const page = done(await listThreads({ client: this.#client, throwOnError: true, query }));
      yield* page.threads;
      if (!(cursor = page.next)) return;
    }
  }

  /** Erases all that is kept of the user, for good. The answer counts what went. */
  async forget(): Promise<EraseAnswerBody> {
    return done(await eraseUser({ client: this.#client, throwOnError: true, path: { user: this.id } }));
  }

  #act<B>(id: string, body: B) {
    const whose = { ...body, user_id: this.id };
    return { client: this.#client, throwOnError: true as const, path: { id }, body: whose, headers: once() };
  }
}

/** One conversation with a user. User.thread makes it. */
export class Thread {
  readonly #client: Client;
  readonly #title: string;

  /** @internal */
  constructor(
    client: Client,
    readonly userId: string,
    readonly id: string,
    title: string,
  ) {
    this.#client = client;
    this.#title = title;
  }

  /**
   * Stores messages, and returns the id of each; null for one without text, such as a call of a tool, which is not
   * stored. Rejects with MessagesRefused if the server refused some of them.
   */
  async add(messages: Messages): Promise<(string | null)[]> {
    const ids: (string | null)[] = [];
    const refused = new Map<number, string>();
    for (const batch of batches(messages)) {
      const events = batch.filter((event) => event !== undefined);
      const rows = events.length > 0 ? (await this.#add(events)).rows : [];
      let next = 0;
      for (const event of batch) {
        const row = event ? rows[next++] : undefined;
        if (row?.error) refused.set(ids.length, row.error);
        ids.push(row?.event_id ?? null);
      }
    }
    if (refused.size > 0) throw new MessagesRefused(refused, ids);
    return ids;
  }

  /** Stores a batch, and the thread if it is new. Another program may store it at the same time. */
  async #add(events: BatchEvent[]): Promise<AddEventsAnswerBody> {
    try {
      return await this.#send(events);
    } catch (e) {
      if (!(e instanceof NotFound)) throw e;
    }
    let taken: unknown;
    try {
      const body = { id: this.id, user_id: this.userId, title: this.#title || undefined };
      await createThread({ client: this.#client, throwOnError: true, body });
    } catch (e) {
      if (!(e instanceof Conflict)) throw e;
      taken = e;
    }
    try {
      return await this.#send(events);
    } catch (e) {
      throw taken && e instanceof NotFound ? taken : e; // taken by another user
    }
  }

  async #send(events: BatchEvent[]): Promise<AddEventsAnswerBody> {
    return done(await addEvents({ ...this.#here(), body: { events }, headers: once() }));
  }

  /**
   * Composes what a model needs to know for a question, from this thread alone and what holds about the user. As many
   * of its newest messages as recent says come along. User.context is for all of the user's threads.
   */
  async context(
    question: string,
    budget = 1000,
    options: { recent?: number; explain?: boolean } = {},
  ): Promise<RetrieveAnswerBody> {
    const body = { query: asked(question), budget, thread_id: this.id, user_id: this.userId, ...options };
    return done(await retrieve({ client: this.#client, throwOnError: true, body }));
  }

  /** Goes through the messages with all their fields, the newest first. */
  async *messages(): AsyncGenerator<EventEntry, void> {
    for (let cursor: string | undefined; ; ) {
      const here = this.#here();
      const page = done(await listEvents({ ...here, query: { ...here.query, detail: true, cursor } }));
      yield* page.messages.reverse();
      if (!(cursor = page.next)) return;
    }
  }

  /** Returns the summary that is in each of the thread's contexts. */
  async summary(): Promise<SummaryAnswerBody> {
    return done(await getSummary(this.#here()));
  }

  /** Deletes a message and what follows from it alone. */
  async deleteMessage(id: string): Promise<DeleteEventAnswerBody> {
    const here = this.#here();
    return done(await deleteEvent({ ...here, path: { ...here.path, e: id } }));
  }

  /** Deletes the thread and what follows from it alone. */
  async delete(): Promise<DeleteThreadAnswerBody> {
    return done(await deleteThread(this.#here()));
  }

  #here() {
    const query = { user_id: this.userId };
    return { client: this.#client, throwOnError: true as const, path: { t: this.id }, query };
  }
}

/** Returns the answer of a success. Refusals were thrown before. */
function done<T>(answer: { data: T }): T {
  if (answer.data === undefined) throw new ConnectionFailed("the server's answer is not what it should be");
  return answer.data;
}

/** Returns a header by which a request that is sent again does nothing a second time. */
function once() {
  return { 'Idempotency-Key': crypto.randomUUID() };
}

/** Returns the UUID of a name in a namespace (RFC 9562, version 5). */
async function named(namespace: string, name: string): Promise<string> {
  const space = Uint8Array.from(namespace.replaceAll('-', '').match(/../g) ?? [], (hex) => parseInt(hex, 16));
  const text = new TextEncoder().encode(name);
  const bytes = new Uint8Array(space.length + text.length);
  bytes.set(space);
  bytes.set(text, space.length);
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-1', bytes)).slice(0, 16);
  hash[6] = (hash[6]! & 0x0f) | 0x50;
  hash[8] = (hash[8]! & 0x3f) | 0x80;
  const hex = Array.from(hash, (b) => b.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
