import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { generateText, jsonSchema, stepCountIs, streamText, tool, wrapLanguageModel } from 'ai';
import { MockLanguageModelV4, simulateReadableStream } from 'ai/test';
import { Memory, type User } from 'ltm-memory';
import { memoryMiddleware } from 'ltm-memory/ai-sdk';
import { start, type Server } from './server.js';

let server: Server;
before(async () => {
  server = await start();
});
after(() => server.stop());

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const stop = { unified: 'stop', raw: 'stop' } as const;

function text(answer: string) {
  return { content: [{ type: 'text' as const, text: answer }], finishReason: stop, usage, warnings: [] };
}

async function said(ann: User): Promise<string[]> {
  const out: string[] = [];
  for await (const thread of ann.threads()) {
    for await (const event of ann.thread(thread.id).messages()) out.push(`${event.role}: ${event.content}`);
  }
  return out.reverse();
}

test('a model knows what an earlier one was told', async () => {
  const ann = new Memory(server.url, server.key).user(`user-${crypto.randomUUID()}`);
  const first = new MockLanguageModelV4({ doGenerate: async () => text('A fine name.') });
  await generateText({
    model: wrapLanguageModel({ model: first, middleware: memoryMiddleware(ann, ann.thread()) }),
    prompt: 'My cat is called Socks.',
  });
  const chunks = [
    { type: 'text-start' as const, id: '1' },
    { type: 'text-delta' as const, id: '1', delta: 'So' },
    { type: 'text-delta' as const, id: '1', delta: 'cks.' },
    { type: 'text-end' as const, id: '1' },
    { type: 'finish' as const, finishReason: stop, usage },
  ];
  const second = new MockLanguageModelV4({ doStream: async () => ({ stream: simulateReadableStream({ chunks }) }) });
  const streamed = streamText({
    model: wrapLanguageModel({ model: second, middleware: memoryMiddleware(ann, ann.thread()) }),
    system: 'Be kind.',
    prompt: 'What is the name of my cat?',
  });
  assert.equal(await streamed.text, 'Socks.');
  const [kind, memory, asked] = second.doStreamCalls[0]!.prompt;
  assert.deepEqual(kind, { role: 'system', content: 'Be kind.' });
  assert.equal(memory?.role, 'system');
  assert.match(String(memory?.content), /My cat is called Socks/);
  assert.equal(asked?.role, 'user');
  assert.deepEqual((await said(ann)).sort(), [
    'assistant: A fine name.',
    'assistant: Socks.',
    'user: My cat is called Socks.',
    'user: What is the name of my cat?',
  ]);
});

test('the steps of a call with tools are stored once', async () => {
  const ann = new Memory(server.url, server.key).user(`user-${crypto.randomUUID()}`);
  const call = { type: 'tool-call' as const, toolCallId: 'c', toolName: 'weather', input: '{"city":"Rome"}' };
  const answers = [
    { content: [call], finishReason: { unified: 'tool-calls' as const, raw: 'tool' }, usage, warnings: [] },
    text('It rains in Rome.'),
  ];
  const model = new MockLanguageModelV4({ doGenerate: async () => answers.shift()! });
  await generateText({
    model: wrapLanguageModel({ model, middleware: memoryMiddleware(ann, ann.thread()) }),
    tools: {
      weather: tool({
        inputSchema: jsonSchema<{ city: string }>({ type: 'object', properties: { city: { type: 'string' } } }),
        execute: async ({ city }) => `It rains in ${city}.`,
      }),
    },
    stopWhen: stepCountIs(3),
    prompt: 'Does it rain in Rome?',
  });
  assert.deepEqual(await said(ann), ['user: Does it rain in Rome?', 'assistant: It rains in Rome.']);
});

test('without its memory a chat goes on, if it is told where failures go', async () => {
  const nowhere = new Memory('http://127.0.0.1:1', 'k', { attempts: 1 }).user('ann');
  const model = new MockLanguageModelV4({ doGenerate: async () => text('Hello.') });
  const ask = (onError?: (e: unknown) => void) =>
    generateText({
      model: wrapLanguageModel({ model, middleware: memoryMiddleware(nowhere, nowhere.thread(), { onError }) }),
      prompt: 'Hello?',
      maxRetries: 0,
    });
  await assert.rejects(ask());
  const failures: unknown[] = [];
  assert.equal((await ask((e) => failures.push(e))).text, 'Hello.');
  assert.equal(failures.length, 2);
});
