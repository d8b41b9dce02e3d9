import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from './testing/eventually.ts';
import { testApp } from './testing/harness.ts';
import { closing, temporaryFolder } from './testing/lifetimes.ts';
import { endProcess, freePort, listen } from './testing/listen.ts';
import { scriptedModels } from './testing/scripted-models.ts';

const hasNginx = spawnSync('nginx', ['-v']).status === 0;
if (!hasNginx) console.log('nginx is not installed, so nothing is tried behind it: apt-get install nginx-light');

const script = scriptedModels();
const { folder } = temporaryFolder('proxies');
const running: ChildProcess[] = [];

const app = await closing(testApp({ models: script.models }));
const { origin: here } = await closing(listen(createServer(getRequestListener(app.app.fetch))));
const ada = await app.signUpPro('Ada');
await app.request('POST', '/api/agents', { as: ada, body: { name: 'Nora', prompt: 'You help.' } });
afterAll(() => Promise.all(running.map((child) => endProcess(child, 'SIGTERM'))));

/** What Debian's nginx has around its sites, with everything that it writes in our folder. */
const around = (site: string) => `
daemon off;
${process.getuid?.() === 0 ? 'user root;' : ''}
pid ${folder}/pid; error_log stderr;
events {}
http {
  access_log off;
  sendfile on; tcp_nopush on; gzip on;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
  ${site}
}`;

/** Starts nginx with a site before our server, and returns its address. */
async function behind(site: (upstream: string, listen: string) => string): Promise<string> {
  const port = await freePort();
  const file = join(folder, `${port}.conf`);
  writeFileSync(file, around(site(here, `listen 127.0.0.1:${port};`)));
  running.push(spawn('nginx', ['-e', 'stderr', '-c', file], { stdio: 'ignore' }));
  const url = `http://127.0.0.1:${port}`;
  await eventually(async () => expect((await fetch(`${url}/healthz`)).status).toBe(200));
  return url;
}

/** The block of docs/proxies.md, without its certificate. */
const documented = (upstream: string, listen: string) =>
  (
    /```nginx\n(?<block>[^`]+)```/u.exec(readFileSync(join(import.meta.dirname, '../../docs/proxies.md'), 'utf8'))
      ?.groups?.block ?? ''
  )
    .replace('listen 443 ssl;', listen)
    .replaceAll(/ssl_certificate.*;/gu, '')
    .replace('http://127.0.0.1:3000', upstream);

const asItComes = (upstream: string, listen: string) => `server { ${listen} location / { proxy_pass ${upstream}; } }`;

const BEYOND = 2 * 1024 * 1024;

describe.runIf(hasNginx).each([
  ['as Debian ships it', asItComes],
  ['as we say', documented],
])('behind nginx, %s', (_how, site) => {
  let url: string;
  beforeAll(async () => {
    url = await behind(site);
  });
  const ask = (path: string, init: RequestInit = {}) => {
    // Its origin is the address that the server is asked at: here the proxy may hide it.
    const origin = site === asItComes ? here : 'http://127.0.0.1';
    const headers = { cookie: ada.cookie, origin, 'content-type': 'application/json', ...init.headers };
    return fetch(`${url}${path}`, { ...init, headers });
  };
  async function readUntil(answer: Response, text: string): Promise<string> {
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
    let read = '';
    while (!read.includes(text)) {
      const piece = await reader?.read();
      if (piece?.done !== false) throw new Error(`it ended with: ${read}`);
      read += piece.value;
    }
    await reader?.cancel();
    return read;
  }

  it('the first words of an answer come before its end, in each stream', async () => {
    const sessionId = await app.startSession(ada, 'nora');
    const live = await ask('/api/live');
    await readUntil(live, 'event: hello');
    const sent = ask(`/api/sessions/${sessionId}/tasks`, {
      method: 'POST',
      body: JSON.stringify({ agentId: 'nora', inputText: 'Hello' }),
      headers: { accept: 'text/event-stream' },
    });
    const call = await script.next();
    call.say('The first words');
    // The answer goes on: what is read now, no proxy held back.
    const told = await readUntil(await sent, 'The first words');
    const { task } = JSON.parse(/^data: (.*)$/mu.exec(told)?.[1] ?? '{}');
    await readUntil(await ask(`/api/sessions/${sessionId}/tasks/${task.id}/events`), 'The first words');
    call.say(' and the last').end();
    await readUntil(await ask(`/api/sessions/${sessionId}/tasks/${task.id}/events`), 'and the last');
  });

  it('an upload comes through, or is refused by the proxy, whose name the answer has', async () => {
    const form = new FormData();
    form.append('file', new File(['word '.repeat(BEYOND / 5)], 'notes.txt'));
    const { cookie, origin } = { cookie: ada.cookie, origin: 'http://127.0.0.1' };
    const answer = await fetch(`${url}/api/agents/nora/files`, {
      method: 'POST',
      body: form,
      headers: { cookie, origin },
    });
    if (site === documented) expect(answer.status).toBe(201);
    else expect([answer.status, answer.headers.get('server')]).toEqual([413, expect.stringMatching(/^nginx/u)]);
  });

  it('programs reach the endpoints', async () => {
    const { body } = await app.request('POST', '/api/keys', { as: ada, body: { name: crypto.randomUUID() } });
    const models = await fetch(`${url}/v1/models`, { headers: { authorization: `Bearer ${body.key.secret}` } });
    expect([models.status, await models.json()]).toMatchObject([200, { data: [{ id: 'nora' }] }]);
  });
});
