// How soon a session of 5,000 exchanges shows its end in Chromium, compared with its floor in the same run, a session of 20; and how
// smoothly it scrolls up through its pages: frames over 50 ms, jumps while reading, and the size of the page at the end.
//   npm run bench:timeline -- [--size 5000] [--rounds 5] [--read 300] [--json]
import { type BrowserContext, chromium, type Page } from '@playwright/test';
import { needChromium } from '../scripts/chromium.ts';
import { makeAccounts } from './exchange/accounts.ts';
import type { Account } from './exchange/client.ts';
import { measureOn, withServer } from './exchange/measured-process.ts';
import { type Figure, median, readOptions, report } from './report.ts';

const values = readOptions({ size: '5000', rounds: '5', read: '300' });
const FLOOR = 20;
const [SIZE, ROUNDS, READ] = [Number(values.size), Number(values.rounds), Number(values.read)];
const SLOW_FRAME_MS = 50;

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
async function open({ context, address, lastId }: Session): Promise<{ ms: number; page: Page }> {
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
  return { ms: Number(ms), page };
}

async function opening(session: Session): Promise<number> {
  const times: number[] = [];
  for (let i = -1; i < ROUNDS; i += 1) {
    const { ms, page } = await open(session);
    if (i >= 0) times.push(ms);
    await page.close();
  }
  return median(times);
}

/** Records every slow frame, and every jump: when the exchange in the middle moved differently from the wheel. */
const WATCH = `(() => {
  const log = document.querySelector('[role="log"]');
  const seen = window.watched = { frames: 0, slow: 0, slowest: 0, jumps: 0, farthest: 0 };
  let before = performance.now();
  let middle = null;
  let top = 0;
  const box = log.getBoundingClientRect();
  const frame = (now) => {
    const took = now - before;
    before = now;
    seen.frames += 1;
    if (took > ${SLOW_FRAME_MS}) seen.slow += 1;
    seen.slowest = Math.max(seen.slowest, took);
    if (middle?.isConnected) {
      // The wheel turns up: what is read moves down or rests. What moves up has jumped, and what moves by more than a screen too.
      const moved = middle.getBoundingClientRect().top - top;
      if (moved < -4 || moved > box.height) { seen.jumps += 1; seen.farthest = Math.max(seen.farthest, Math.abs(moved)); }
    }
    middle = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2)?.closest('[data-task]') ?? null;
    top = middle?.getBoundingClientRect().top ?? 0;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
})()`;

interface Watched {
  frames: number;
  slow: number;
  slowest: number;
  jumps: number;
  farthest: number;
}

async function turnWheel(page: Page, by: number): Promise<void> {
  for (let i = 0; i < 10; i += 1) {
    await page.mouse.wheel(0, by);
    await page.waitForTimeout(16);
  }
}

async function watched(page: Page) {
  return (await page.evaluate('window.watched')) as Watched;
}

async function watch(session: Session): Promise<Page> {
  const { page } = await open(session);
  await page.getByRole('log', { name: 'Conversation' }).hover();
  await page.evaluate(WATCH);
  return page;
}

/** The machine's own share: the short session scrolled up and down, with nothing to load. */
async function scrollFloor(session: Session): Promise<Watched> {
  const page = await watch(session);
  for (let i = 0; i < 40; i += 1) await turnWheel(page, i % 4 < 2 ? -120 : 120);
  const floor = await watched(page);
  await page.close();
  return floor;
}

async function readUp(session: Session) {
  const page = await watch(session);
  const here = () => page.locator('[data-task]').count();
  const elements = async () => Number(await page.evaluate('document.querySelectorAll("*").length'));
  const until = Date.now() + 300_000;
  while ((await here()) < READ && Date.now() < until) await turnWheel(page, -120);
  const up = { ...(await watched(page)), exchanges: await here(), elements: await elements() };
  await page.getByRole('button', { name: 'Jump to latest' }).click();
  await page.waitForFunction('document.querySelectorAll("[data-task]").length < 100', undefined, { polling: 100 });
  const back = await elements();
  await page.close();
  return { ...up, back };
}

const slowShare = ({ slow, frames }: Watched) => (1000 * slow) / frames;

async function compare(small: Session, large: Session): Promise<Figure[]> {
  const [floor, ours] = [await opening(small), await opening(large)];
  const [rest, up] = [await scrollFloor(small), await readUp(large)];
  return [
    { what: `${SIZE} exchanges, until the last stands at the end, median of ${ROUNDS}`, unit: 'ms', floor, ours },
    {
      what: `slow frames of 1,000, up ${up.exchanges} exchanges`,
      unit: '',
      floor: slowShare(rest),
      ours: slowShare(up),
    },
    { what: 'slowest frame', unit: 'ms', floor: rest.slowest, ours: up.slowest },
    { what: 'jumps while reading', unit: '', ours: up.jumps },
    { what: 'farthest jump', unit: 'px', ours: up.farthest },
    { what: 'elements of the page at the top', unit: '', ours: up.elements },
    { what: 'and back at the end', unit: '', ours: up.back },
  ];
}

try {
  const pasts = [FLOOR, SIZE].map((exchanges) => ({ exchanges, aSession: exchanges, formatted: true }));
  const figures = await measureOn('embedded', async (create) => {
    const { env, filled } = await create((db) => makeAccounts(db, pasts));
    return withServer('shipped', env, async ({ address }) => {
      const [small, large] = await Promise.all(filled.map((account) => signIn(address, account)));
      return compare(small as Session, large as Session);
    });
  });
  report(`a session of ${SIZE} beside one of ${FLOOR}; a frame over ${SLOW_FRAME_MS} ms is slow`, figures);
} finally {
  await browser.close();
}
