// How long a stranger waits for a short attachment and for an archive while accounts do their worst to both, beside an idle server.
import { randomBytes, randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import type { Server } from '../e2e/server.ts';

/** A stranger may wait this much longer than at an idle server's worst. */
const MORE_MS = 100;
/** So that the stranger’s own attachments of both rounds stay below the rate of one account. */
const PAUSE_MS = 120;
/** More than the buffers of a connection hold, and nothing that an archive makes smaller. */
const LONG = randomBytes(6 * 1024 * 1024).toString('base64');
const NESTED = '<div>'.repeat((1024 * 1024) / 5);
const SHORT = 'The kiln in Faro is fired on Mondays. '.repeat(27);

interface Account {
  cookie: string;
  sessionId: string;
}

/** A row for each attack: how long the stranger waited, and what was answered. */
export async function strangerRows(server: Server, lastsMs: number) {
  const accounts = await Promise.all(Array.from({ length: 11 }, () => signUp(server)));
  const [stranger, ...others] = accounts as [Account, ...Account[]];
  const attach = async ({ cookie, sessionId }: Account, name: string, text: string): Promise<Response> => {
    const body = new FormData();
    body.append('file', new Blob([text]), name);
    const headers = { origin: server.url, cookie };
    return fetch(`${server.url}/api/sessions/${sessionId}/attachments`, { method: 'POST', headers, body });
  };
  const paths: string[] = [];
  for (const account of others) {
    const { attachment } = (await (await attach(account, 'long.txt', LONG)).json()) as { attachment: { url: string } };
    paths.push(attachment.url);
  }
  const attachShort = () => attach(stranger, 'short.txt', SHORT);
  const exportAll = () => fetch(`${server.url}/api/export`, { headers: { cookie: stranger.cookie } });
  const download = () => fetch(`${server.url}${strangers}`, { headers: { cookie: stranger.cookie } });
  const { attachment } = (await (await attachShort()).json()) as { attachment: { url: string } };
  const strangers = attachment.url;

  const nest = (over: AbortSignal) =>
    Promise.all(
      others.slice(0, 2).flatMap((account) =>
        [1, 2, 3].map(async () => {
          while (!over.aborted) await (await attach(account, 'nested.html', NESTED)).text();
        }),
      ),
    );
  const hold = (of: (at: number) => string, each: number) => async (over: AbortSignal) => {
    const held = others.flatMap(({ cookie }, at) => Array.from({ length: each }, () => ask(server, cookie, of(at))));
    await new Promise((done) => over.addEventListener('abort', done));
    for (const socket of held) socket.destroy();
  };
  return [
    await row('a text attached, two accounts attach nested pages', attachShort, nest, lastsMs),
    await row(
      'an export, ten accounts take nothing of theirs',
      exportAll,
      hold(() => '/api/export', 1),
      lastsMs,
    ),
    await row(
      'a download, ten accounts take nothing of sixty',
      download,
      hold((at) => paths[at] ?? '', 6),
      lastsMs,
    ),
  ];
}

/** Asks for something and takes nothing of the answer. */
function ask(server: Server, cookie: string, path: string) {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname).on('error', () => {});
  socket.pause().write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nCookie: ${cookie}\r\n\r\n`);
  return socket;
}

async function row(
  name: string,
  wish: () => Promise<Response>,
  attack: (over: AbortSignal) => Promise<unknown>,
  lastsMs: number,
) {
  const before = await wait(wish, async () => {}, lastsMs);
  const during = await wait(wish, attack, lastsMs);
  return {
    'a stranger asks for': name,
    'slowest when idle': `${before.slowest.toFixed(0)} ms`,
    slowest: `${during.slowest.toFixed(0)} ms`,
    kept: during.slowest < before.slowest + MORE_MS && [...during.statuses.keys()].every((status) => status < 400),
    answers: [...during.statuses].map(([status, count]) => `${count} × ${status}`).join(', '),
  };
}

/** Asks again and again while the attack lasts. */
async function wait(wish: () => Promise<Response>, attack: (over: AbortSignal) => Promise<unknown>, lastsMs: number) {
  const over = AbortSignal.timeout(lastsMs);
  const attacking = attack(over);
  await new Promise((done) => setTimeout(done, lastsMs / 4));
  const statuses = new Map<number, number>();
  let slowest = 0;
  while (!over.aborted) {
    const begun = performance.now();
    const answer = await wish();
    await answer.arrayBuffer();
    slowest = Math.max(slowest, performance.now() - begun);
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    await new Promise((done) => setTimeout(done, PAUSE_MS));
  }
  await attacking;
  return { slowest, statuses };
}

async function signUp(server: Server): Promise<Account> {
  const email = `stranger-${randomUUID()}@example.com`;
  const post = async (path: string, cookie: string, body: object) => {
    const headers = { origin: server.url, cookie, 'content-type': 'application/json' };
    return fetch(`${server.url}/api${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  };
  const signedUp = await post('/auth/sign-up/email', '', { name: 'Stranger', email, password: 'a long password' });
  const cookie = signedUp.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  await server.admin('grant-pro', email, '--reason', 'bench');
  await post('/agents', cookie, { name: 'Reader', prompt: 'You read.' });
  const { session } = (await (await post('/sessions', cookie, { agentId: 'reader' })).json()) as {
    session: { id: string };
  };
  return { cookie, sessionId: session.id };
}
