// The built package in workerd, which runs Cloudflare's Workers and has no API of Node unless it is asked for.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import { Miniflare } from 'miniflare';
import { start } from './server.js';

const worker = `
import { InvalidRequest, Memory } from './dist/index.js';

export default {
  async fetch(request, { url, key }) {
    if (globalThis.process) throw new Error('this is Node');
    const ann = new Memory(url, key).user('ann');
    await ann.add([{ role: 'user', content: 'My cat is called Socks.' }, { role: 'assistant', content: 'A fine name.' }]);
    const said = [];
    for await (const thread of ann.threads()) {
      for await (const message of ann.thread(thread.id).messages()) said.push(message.content);
    }
    const context = await ann.context('What is the name of her cat?', 300);
    const refused = await ann.context('What?', 0).catch((e) => e instanceof InvalidRequest && e.kind);
    return Response.json({ said, memory: context.memory, refused });
  },
};
`;

test('the package runs in an edge runtime', async () => {
  const dist = fileURLToPath(new URL('../dist/', import.meta.url));
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((f) => f.endsWith('.js'));
  const modules = files.map((f) => ({ type: 'ESModule' as const, path: `dist/${f}`, contents: readFileSync(dist + f, 'utf8') }));
  const server = await start();
  const edge = new Miniflare({
    modules: [{ type: 'ESModule', path: 'worker.js', contents: worker }, ...modules],
    compatibilityDate: '2026-04-01',
    cf: false, // else it asks Cloudflare where it is
    bindings: { url: server.url, key: server.key },
  });
  try {
    const answer = await edge.dispatchFetch('http://edge.test/');
    assert.equal(answer.status, 200, await answer.clone().text());
    const { said, memory, refused } = (await answer.json()) as { said: string[]; memory: string; refused: string };
    assert.deepEqual(said, ['A fine name.', 'My cat is called Socks.']);
    assert.match(memory, /Socks/);
    assert.equal(refused, 'invalid-body');
  } finally {
    await edge.dispose();
    await server.stop();
  }
});
