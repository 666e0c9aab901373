// A real ltm-server: the program that LTM_SERVER names, on loopback, in a directory of its own.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export interface Server {
  url: string;
  key: string;
  stop(): Promise<void>;
}

export async function start(): Promise<Server> {
  const program = process.env['LTM_SERVER'];
  if (!program) throw new Error('LTM_SERVER must name the built ltm-server; "make sdk-test" does');
  const directory = mkdtempSync(join(tmpdir(), 'ltm-'));
  const env = { ...process.env, LTM_SERVER_DB: join(directory, 'ltm.db') };
  const run = (...args: string[]) => {
    const done = spawnSync(program, args, { env, encoding: 'utf8' });
    if (done.status !== 0) throw new Error(done.stderr);
    return done.stdout.trim();
  };
  run('init');
  run('app', 'create', 'tests');
  const key = run('key', 'issue', '--app', 'tests', '--name', 'tests');
  const limits = ['--rate-address', '100000', '--rate-user', '100000'];
  const server = spawn(program, ['serve', '--addr', '127.0.0.1:0', ...limits], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = new Promise<void>((done) => server.once('exit', () => done()));
  for await (const line of createInterface(server.stderr)) {
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
    if (url) {
      server.stderr.resume();
      const stop = async () => {
        server.kill();
        await ended;
        rmSync(directory, { recursive: true });
      };
      return { url, key, stop };
    }
  }
  throw new Error('the server did not say where it listens');
}
