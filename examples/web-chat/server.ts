/**
 * A web chat with a memory: a small page, and a server for it that keeps the key.
 *
 *     npm install && npx tsc
 *     LTM_URL=http://127.0.0.1:5860 LTM_KEY=… PORT=8080 node dist/server.js
 *
 * The reply comes from a script that shows what a model would have been told, so it runs without one: put the call of
 * your model where "answer" is.
 */
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { LTMError, Memory, type User } from 'ltm-memory';

const memory = new Memory(process.env.LTM_URL ?? 'http://127.0.0.1:5860', process.env.LTM_KEY);
const page = new URL('../page.html', import.meta.url);
const longest = 6000; // characters of a message

/** What a model would do: it gets the context as part of its instructions. */
async function answer(context: string, text: string): Promise<string> {
  return context ? `I was told:\n${context}` : `I know nothing about that yet: ${text}`;
}

async function chat(user: User, threadId: string, text: string): Promise<string> {
  const { memory: context } = await user.context(text, 500);
  const reply = await answer(context, text);
  await user.thread(threadId).add([
    { role: 'user', content: text },
    { role: 'assistant', content: reply },
  ]);
  return reply;
}

async function body(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = '';
  for await (const chunk of request) {
    text += chunk;
    if (text.length > 2 * longest) throw new TypeError('the request is too long');
  }
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null) throw new TypeError('the request is no object');
  return value as Record<string, unknown>;
}

/** Who asks. A real application knows that from its sign-in; this one believes what the page says. */
function userOf(request: Record<string, unknown>): User {
  const name = request.user;
  if (typeof name !== 'string' || !/^[\w-]{1,64}$/.test(name)) throw new TypeError('a name has letters, digits, - and _');
  return memory.user(name);
}

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const json = (status: number, value: unknown) =>
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
  if (request.method === 'GET' && request.url === '/') {
    response.writeHead(200, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': "default-src 'self' 'unsafe-inline'",
    });
    response.end(await readFile(page));
    return;
  }
  // Pages of other origins cannot send this header without being asked first, and this server allows none.
  if (request.method !== 'POST' || request.headers['content-type'] !== 'application/json') {
    return void json(404, { error: 'not found' });
  }
  const asked = await body(request);
  const user = userOf(asked);
  if (request.url === '/chat') {
    const { text, thread } = asked;
    if (typeof text !== 'string' || !text.trim() || text.length > longest) {
      throw new TypeError(`text has 1 to ${longest} characters`);
    }
    if (typeof thread !== 'string' || !/^[0-9a-f-]{36}$/.test(thread)) throw new TypeError('thread is a UUID');
    return void json(200, { reply: await chat(user, thread, text) });
  }
  if (request.url === '/forget') {
    await user.forget();
    return void json(200, {});
  }
  json(404, { error: 'not found' });
}

const server = createServer((request, response) => {
  handle(request, response).catch((e: unknown) => {
    const status = e instanceof LTMError ? 502 : e instanceof TypeError || e instanceof SyntaxError ? 400 : 500;
    if (status === 500) console.error(e);
    response.writeHead(status, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ error: status === 500 ? 'this failed' : (e as Error).message }));
  });
});
server.listen(Number(process.env.PORT ?? 8080), '127.0.0.1', () => {
  const address = server.address();
  console.log(`http://127.0.0.1:${typeof address === 'object' ? address?.port : address}`);
});
