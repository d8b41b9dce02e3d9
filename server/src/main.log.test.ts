import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { BRIEF, bundleServer } from './testing/bundle.ts';
import { fillDataFolder } from './testing/database.ts';
import { endProcess, untilSays } from './testing/listen.ts';
import { environment } from './testing/server-process.ts';

it('prints nothing but JSON with LOG_FORMAT=json, when it starts, answers and refuses to start', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-log-'));
  fillDataFolder(folder);
  const env = environment({ PORT: '0', DATA_DIR: folder, LOG_FORMAT: 'json' });
  const child = spawn(process.execPath, [...BRIEF, bundleServer()], { env, stdio: 'pipe' });
  try {
    const { match, said } = await untilSays(child, /"event":"start\.listens","url":"(\S+?)","pid":/u);
    const answer = await fetch(`${match[1]}/api/sessions?q=words`);
    await endProcess(child, 'SIGTERM');
    const lines = said()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toContainEqual(
      expect.objectContaining({ event: 'start.listens', database: `embedded, in ${folder}` }),
    );
    const request = answer.headers.get('x-request-id');
    const counted = { event: 'request', request, method: 'GET', route: '/api/sessions', status: 401 };
    expect(lines).toContainEqual(expect.objectContaining(counted));
    const refused = spawn(process.execPath, [bundleServer()], { env: { ...env, PORT: 'x' }, stdio: 'pipe' });
    const [out, err] = await Promise.all([text(refused.stdout), text(refused.stderr)]);
    expect([out, JSON.parse(err)]).toMatchObject([
      '',
      { event: 'start.failed', because: expect.stringContaining('PORT') },
    ]);
  } finally {
    await endProcess(child, 'SIGKILL');
    rmSync(folder, { recursive: true });
  }
});
