// How soon a session of 5,000 exchanges shows its end in Chromium, compared with its floor in the same run, a session of 20.
//   npm run bench:timeline -- [--size 5000] [--rounds 5] [--json]
import { type BrowserContext, chromium } from '@playwright/test';
import { needChromium } from '../scripts/chromium.ts';
import { makeAccounts } from './exchange/accounts.ts';
import type { Account } from './exchange/client.ts';
import { measureOn, withServer } from './exchange/measured-process.ts';
import { median, readOptions, report } from './report.ts';

const values = readOptions({ size: '5000', rounds: '5' });
const FLOOR = 20;
const [SIZE, ROUNDS] = [Number(values.size), Number(values.rounds)];

const browser = await chromium.launch({ executablePath: needChromium(), args: ['--no-sandbox'] });

/** A session, in a browser that is signed in to its account. */
interface Session {
  context: BrowserContext;
  address: string;
  lastId: string;
}

async function signIn(server: string, { cookie, sessionId }: Account): Promise<Session> {
  // Only so that the measuring script may read the page.
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, bypassCSP: true });
  await context.addCookies(
    cookie.split('; ').map((one) => {
      const [name = '', ...value] = one.split('=');
      return { name, value: value.join('='), url: server };
    }),
  );
  const answer = await context.request.get(`${server}/api/sessions/${sessionId}/tasks?limit=1`);
  const { tasks }: { tasks: { id: string }[] } = await answer.json();
  return { context, address: `${server}/runtime?sessionId=${sessionId}`, lastId: tasks.at(-1)?.id ?? '' };
}

/** Milliseconds from the navigation until the last exchange is on the screen, with the end of the conversation. */
async function open({ context, address, lastId }: Session): Promise<number> {
  const page = await context.newPage();
  await page.addInitScript(`(() => {
    const look = () => {
      const log = document.querySelector('[role="log"]');
      const last = document.querySelector('[data-task="${lastId}"]');
      const atEnd = log && log.scrollHeight - log.scrollTop - log.clientHeight < 4;
      if (last && atEnd && last.getBoundingClientRect().height > 0) window.shownAt = performance.now();
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  })()`);
  await page.goto(address);
  const ms = await page
    .waitForFunction('window.shownAt', undefined, { polling: 100 })
    .then((handle) => handle.jsonValue());
  await page.close();
  return Number(ms);
}

async function opening(session: Session): Promise<number> {
  await open(session);
  const times: number[] = [];
  for (let i = 0; i < ROUNDS; i += 1) times.push(await open(session));
  return median(times);
}

try {
  const pasts = [FLOOR, SIZE].map((exchanges) => ({ exchanges, aSession: exchanges, formatted: true }));
  const figures = await measureOn('embedded', async (create) => {
    const { env, filled } = await create((db) => makeAccounts(db, pasts));
    return withServer('shipped', env, async ({ address }) => {
      const times: number[] = [];
      for (const account of filled) times.push(await opening(await signIn(address, account)));
      const [floor, ours = Number.NaN] = times;
      return [{ what: `until the last stands at the end, median of ${ROUNDS}`, unit: 'ms', floor, ours }];
    });
  });
  report(`opening a session of ${SIZE} exchanges beside one of ${FLOOR}`, figures);
} finally {
  await browser.close();
}
