import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  Conflict,
  ConnectionFailed,
  InvalidRequest,
  LTMError,
  Memory,
  MessagesRefused,
  NotFound,
  RateLimited,
  Unauthorized,
  Unavailable,
  type Message,
} from 'ltm-memory';
import { start, type Server } from './server.js';

let server: Server;
before(async () => {
  server = await start();
});
after(() => server.stop());

const memory = () => new Memory(server.url, server.key);
const someone = () => memory().user(`user-${crypto.randomUUID()}`);

async function all<T>(list: AsyncIterable<T>): Promise<T[]> {
  const out: T[] = [];
  for await (const one of list) out.push(one);
  return out;
}

test('what was said is found in another program', async () => {
  const ann = someone();
  const ids = await ann.add([
    { role: 'user', content: 'I live in Rome. My cat is called Socks and hates the vet.' },
    { role: 'assistant', content: null },
    { role: 'assistant', content: [{ type: 'text', text: 'Noted: Rome, and Socks.' }] },
  ]);
  assert.deepEqual(ids.map((id) => id !== null), [true, false, true]);
  const context = await memory().user(ann.id).context('what is the name of her cat?', 300);
  assert.match(context.memory, /Socks/);
  assert.ok(context.tokens > 0 && context.tokens <= 300);
  assert.equal((await ann.forget()).ok, true);
  assert.equal((await ann.context('what is the name of her cat?')).memory, '');
});

test('the own thread of a user is the same in Python', async () => {
  const ann = memory().user('ann');
  await ann.add('hello');
  assert.deepEqual((await all(ann.threads())).map((t) => t.id), ['b65a99d4-e117-5c28-aba6-823e00f9ad0f']);
});

test('a user is seen by nobody else', async () => {
  const ann = someone();
  const thread = ann.thread();
  await thread.add('My cat is called Socks.');
  const other = someone();
  await assert.rejects(other.thread(thread.id).add('hello'), Conflict);
  await assert.rejects(other.thread(thread.id).summary(), NotFound);
  assert.equal((await other.context('what is the name of the cat?')).memory, '');
});

test('claims are confirmed, corrected and undone', async () => {
  const ann = someone();
  const { claim } = await ann.state('PROFILE', 'I live in Rome', { suggest: true });
  assert.deepEqual((await all(ann.claims('suggested'))).map((c) => c.text), ['I live in Rome']);
  await ann.confirm(claim.id, 'she said so');
  const { act } = await ann.correct(claim.id, 'I live in Turin', { validFrom: new Date('2026-05-01') });
  assert.deepEqual((await all(ann.claims())).map((c) => c.text), ['I live in Turin']);
  assert.deepEqual((await ann.profile()).static.map((e) => [e.slot, e.value]), [['home', 'Turin']]);
  await ann.undo(act.id);
  assert.deepEqual((await all(ann.claims())).map((c) => c.text), ['I live in Rome']);
});

test('lists are read page by page', async () => {
  const thread = someone().thread(undefined, 'Numbers');
  const sent = Array.from({ length: 1202 }, (_, n): Message => ({ role: 'user', content: `Message number ${n}.` }));
  await thread.add(sent);
  assert.deepEqual((await all(thread.messages())).map((e) => e.content), sent.map((m) => m.content).reverse());
});

test('a message keeps its fields', async () => {
  const thread = someone().thread();
  const message: Message = {
    role: 'user',
    content: 'It rains.',
    occurred_at: new Date('2026-02-03T04:05:06Z'),
    meta: { source: 'roof' },
    key: 'k',
  };
  const first = await thread.add(message);
  assert.deepEqual(await thread.add(message), first, 'the key names it once');
  const [event] = await all(thread.messages());
  assert.equal(event?.key, 'k');
  assert.equal(new Date(event?.occurred_at ?? '').toISOString(), '2026-02-03T04:05:06.000Z');
  assert.deepEqual(event?.meta, { source: 'roof' });
});

test('refusals name what was wrong', async () => {
  const ann = someone();
  await assert.rejects(ann.add({ role: 'robot', content: 'hello' } as never), /one of assistant, system, tool, user/);
  await assert.rejects(ann.add({ role: 'user', content: 7 } as never), /content is a text/);
  await assert.rejects(ann.add([7] as never), /a message is/);
  await assert.rejects(ann.add(null as never), /a message is .*, not null/);
  assert.throws(() => ann.thread('chat-42'), /UUID/);
  for (const text of ['half \ud83d', '\ude00']) {
    await assert.rejects(ann.add(['short', { role: 'user', content: [{ type: 'text', text }] }]), /half of a surrogate pair/);
    await assert.rejects(ann.add({ role: 'user', content: 'short', meta: { from: text } }), TypeError);
    await assert.rejects(ann.context(text), /half of a surrogate pair/);
    await assert.rejects(ann.state('PROFILE', text), /half of a surrogate pair/);
    assert.throws(() => memory().user(text), /a user's id/);
  }
  for (const wrong of ['', '.', '..', 42]) assert.throws(() => memory().user(wrong as string), /a user's id/);
  assert.deepEqual(await all(ann.threads()), [], 'nothing was stored');
  assert.equal((await ann.context('What? '.repeat(3000))).memory, '', 'a long question is asked, too');
  await assert.rejects(ann.add(['short', 'x'.repeat(65 << 10)]), (e) => {
    assert.ok(e instanceof MessagesRefused);
    assert.deepEqual([...e.reasons.keys()], [1]);
    assert.deepEqual(e.ids.map((id) => id !== null), [true, false]);
    assert.doesNotMatch(e.message, /nothing was changed/);
    return true;
  });
  await assert.rejects(ann.context('Where does she live?', 0), (e) => {
    assert.ok(e instanceof InvalidRequest);
    assert.match(e.detail, /budget/);
    assert.ok(e.kind && e.requestId);
    return true;
  });
  await assert.rejects(new Memory(server.url, 'wrong').user('ann').profile(), Unauthorized);
});

test('addresses that cannot be used', () => {
  for (const [url, key, why] of [
    ['memory.example.org', 'k', /must be like/],
    ['ftp://memory.example.org', 'k', /must be like/],
    ['https://u:p@memory.example.org', 'k', /no user/],
    ['http://memory.example.org', 'k', /not encrypted/],
    ['https://memory.example.org', '', /visible ASCII/],
    ['https://memory.example.org', 'a b', /visible ASCII/],
    ['https://memory.example.org', undefined, /key is missing/],
    [undefined, 'a', /address is missing/],
  ] as const) {
    assert.throws(() => new Memory(url, key), why);
  }
});

const refused = (status: number, kind: string, after?: string) => {
  const headers = { 'Content-Type': 'application/problem+json', ...(after ? { 'Retry-After': after } : {}) };
  return new Response(JSON.stringify({ detail: 'no', error: 'no', status, title: 'No', type: `/docs#${kind}` }), { status, headers });
};
const added = () =>
  new Response(JSON.stringify({ thread_id: 't', added: 1, rows: [{ event_id: 'e', new: true }] }), {
    headers: { 'Content-Type': 'application/json' },
  });

/** A user of a server that gives one answer after the other, and the requests that it got. */
function scripted(...answers: (Response | Error)[]) {
  const requests: Request[] = [];
  const fetch = async (request: Request) => {
    requests.push(request);
    const answer = answers.shift();
    if (answer instanceof Response) return answer;
    throw answer ?? new Error('asked once too often');
  };
  return { requests, ann: new Memory('http://127.0.0.1:1', 'k', { fetch }).user('ann') };
}

test('what was added is sent again with the same key', async () => {
  const { requests, ann } = scripted(new TypeError('fetch failed'), refused(503, 'busy', '0'), added());
  assert.deepEqual(await ann.add('hello'), ['e']);
  assert.equal(new Set(requests.map((r) => r.headers.get('Idempotency-Key'))).size, 1);
  assert.equal(new Set(await Promise.all(requests.map((r) => r.text()))).size, 1);
});

test('attempts end', async () => {
  const { requests, ann } = scripted(...[1, 2, 3].map(() => refused(429, 'too-many-requests')));
  await assert.rejects(ann.add('hello'), RateLimited);
  assert.equal(requests.length, 3);
});

test('nobody waits for minutes', async () => {
  const { requests, ann } = scripted(refused(503, 'no-database', '120'));
  await assert.rejects(ann.context('hello'), (e) => e instanceof Unavailable && e.retryAfter === 120);
  assert.equal(requests.length, 1);
});

test('what may not be repeated is sent once', async () => {
  const { requests, ann } = scripted(new TypeError('fetch failed'));
  await assert.rejects(ann.forget(), ConnectionFailed);
  assert.equal(requests.length, 1);
});

test('answers of proxies are errors', async () => {
  for (const answer of [
    new Response('<html>log in</html>', { headers: { 'Content-Type': 'text/html' } }),
    new Response(null, { status: 302, headers: { Location: 'https://elsewhere.example.org' } }),
    new Response('<html>bad gateway</html>', { status: 502, headers: { 'Content-Type': 'text/html' } }),
  ]) {
    await assert.rejects(scripted(answer).ann.forget(), LTMError);
  }
});
