import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import { bundleServer } from './bundle.ts';
import { PASSWORD } from './harness.ts';
import { startProcess } from './server-process.ts';

/** Runs a program of the bundle, which is killed after so long if it runs longer. */
export async function runProgram(
  program: string,
  args: string[],
  settings: Record<string, string>,
  killedAfterMs?: number,
) {
  const file = join(dirname(bundleServer()), `${program}.js`);
  const env = { PATH: process.env.PATH, ...settings };
  const child = spawn(process.execPath, [file, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const killing = killedAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killedAfterMs);
  const exited = new Promise<number | null>((done) => child.once('exit', done));
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), exited]);
  clearTimeout(killing);
  return { code, out, err };
}

/** Expects that somebody can sign in at a server that starts with these settings; returns what it has printed. */
export async function knows(email: string, settings: Record<string, string>, main?: string): Promise<string> {
  const restored = await startProcess(settings, main);
  const answer = await fetch(`${restored.url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { origin: restored.url, 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: PASSWORD }),
  });
  restored.child.kill('SIGTERM');
  await restored.exited;
  expect(answer.status).toBe(200);
  return restored.said();
}
