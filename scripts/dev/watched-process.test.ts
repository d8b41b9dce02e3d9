import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { eventually } from '../../server/src/testing/eventually.ts';
import { freePort } from '../../server/src/testing/listen.ts';
import { watchProcess } from './watched-process.ts';

let folder: string;
let port: number;
let said: string[];
let server: ReturnType<typeof watchProcess>;

const write = (answer: string) =>
  writeFileSync(
    join(folder, 'main.mjs'),
    `import { createServer } from 'node:http'; createServer((_, res) => res.end(${answer})).listen(${port}, '127.0.0.1');`,
  );
const read = async () => ((await server.ready()) ? (await fetch(`http://127.0.0.1:${port}`)).text() : 'not running');

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'atelier-dev-'));
  port = await freePort();
  said = [];
  write("'one'");
  server = watchProcess({
    args: () => [join(folder, 'main.mjs')],
    env: process.env,
    port,
    say: (line) => said.push(line),
  });
});
afterEach(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

it('starts a server again, also after one that could not start, and ends it', async () => {
  expect(await read()).toBe('one');
  write("'two'");
  server.restart('main.mjs changed');
  server.restart('main.mjs changed');
  await eventually(async () => expect(await read()).toBe('two'));
  expect(said).toEqual(['main.mjs changed']);

  write('{');
  server.restart('broken');
  await eventually(async () => expect(await read()).toBe('not running'));
  expect(said.at(-1)).toContain('ended with code 1');

  write("'three'");
  server.restart('repaired');
  await eventually(async () => expect(await read()).toBe('three'));
  await server.stop();
  expect(await read()).toBe('not running');
});
