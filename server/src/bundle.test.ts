import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendCommand } from './platform/command-socket.ts';
import { fillDataFolder } from './testing/database.ts';
import { pdfOf } from './testing/documents.ts';
import { eventually } from './testing/eventually.ts';
import { type ServerProcess, signUpAt, startProcess } from './testing/server-process.ts';

let folder: string;
let server: ServerProcess;
let ada: Awaited<ReturnType<typeof signUpAt>>;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'atelier-bundle-'));
  fillDataFolder(folder);
  server = await startProcess({ DATA_DIR: folder, OFFLINE_PAUSE_MS: '0' });
  ada = await signUpAt(server);
  await sendCommand(folder, ['grant-pro', ada.email, '--reason', 'test']);
  await ada.post('/api/agents', { name: 'Helper', prompt: 'You help.', tools: ['run_javascript'] });
});
afterAll(async () => {
  server.child.kill('SIGTERM');
  await server.exited;
  rmSync(folder, { recursive: true, force: true });
});

const get = async (path: string) =>
  JSON.parse(await (await fetch(`${server.url}${path}`, { headers: { cookie: ada.cookie } })).text());

/** Asks in a new session; returns the finished task. */
async function ask(inputText: string) {
  const { session } = JSON.parse(await (await ada.post('/api/sessions', { agentId: 'helper' })).text());
  const body = { sessionId: session.id, agentId: 'helper', inputText };
  return JSON.parse(await (await ada.post('/api/runAgentTask', body)).text()).task;
}

// Whatever runs in a thread or process of its own is started from a file, which the bundle must contain.
describe('the bundled server', () => {
  it('answers', async () => {
    expect(await get('/readyz')).toMatchObject({ status: 'ready' });
    expect((await get('/api/openapi.json')).paths).toHaveProperty('/api/agents');
  });

  it('recalls a memory, ranked in a thread', async () => {
    await ask('My sister Ingrid lives in Bergen.');
    const { message, memoryUsed } = await ask('Where does my sister live?');
    expect([message, JSON.stringify(memoryUsed)]).toEqual([
      expect.stringContaining('Bergen'),
      expect.stringContaining('Bergen'),
    ]);
  });

  it('runs JavaScript in the sandbox, in a thread', async () => {
    const { message, toolCalls } = await ask('Run this:\n```js\nconsole.log(6 * 7)\n```');
    expect([message, toolCalls[0]?.state]).toEqual([expect.stringContaining('42'), 'done']);
  });

  it('reads documents of every library, in a process', async () => {
    const made = (name: string) => readFileSync(new URL(`./testing/documents-of-others/${name}`, import.meta.url));
    const documents = {
      'harbour.pdf': pdfOf(['The harbour opens at nine.']),
      'prices.docx': made('pandoc.docx'),
      'prices.xlsx': made('openpyxl.xlsx'),
      'scan.pdf': made('reportlab-scan.pdf'),
      'a.eml': Buffer.from('Subject: Hello\n\nHello.'),
      'a.xml': Buffer.from('<a>Hello</a>'),
      'a.yaml': Buffer.from('a: Hello'),
      'latin.csv': Buffer.from('H\xf6he,Gr\xf6\xdfe\n1,2', 'latin1'),
    };
    for (const [name, data] of Object.entries(documents)) {
      const form = new FormData();
      form.append('file', new Blob([new Uint8Array(data)]), name);
      const headers = { origin: server.url, cookie: ada.cookie };
      await fetch(`${server.url}/api/agents/helper/files`, { method: 'POST', headers, body: form });
    }
    await eventually(async () => {
      const { files } = await get('/api/agents/helper/files');
      const ends = files.map(({ name, state, error }: Record<string, string>) => [name, error ?? state]);
      expect(Object.fromEntries(ends)).toEqual(
        Object.fromEntries(Object.keys(documents).map((name) => [name, 'ready'])),
      );
    });
  });

  it('serves the pages, or says that they are not built', async () => {
    const answer = await fetch(`${server.url}/`);
    expect([200, 503]).toContain(answer.status);
  });
});
