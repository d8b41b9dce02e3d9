// How soon a session of 5,000 exchanges shows its end in Chromium, compared with its floor in the same run, a session of 20; and how
// smoothly it scrolls up through its pages: frames over 50 ms, jumps while reading, and the size of the page at the end.
//   node scripts/run.mjs bench/timeline.ts [--size 5000] [--rounds 5] [--read 300]
import { parseArgs } from 'node:util';
import { type BrowserContext, chromium, type Page } from '@playwright/test';
import { CHROMIUM_ADVICE, findOrInstallChromium } from '../scripts/chromium.ts';
import { startTimelineServer } from './timeline-server.ts';

const { values } = parseArgs({
  options: {
    size: { type: 'string', default: '5000' },
    rounds: { type: 'string', default: '5' },
    read: { type: 'string', default: '300' },
  },
});
const FLOOR = 20;
const [SIZE, ROUNDS, READ] = [Number(values.size), Number(values.rounds), Number(values.read)];
const SLOW_FRAME_MS = 50;

interface Session {
  sessionId: string;
  lastId: string;
}

const executablePath = findOrInstallChromium();
if (executablePath === undefined) throw new Error(CHROMIUM_ADVICE);
const server = await startTimelineServer();
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
const median = (times: number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;

/** Milliseconds from the navigation until the last exchange is on the screen, with the end of the conversation. */
async function open(context: BrowserContext, { sessionId, lastId }: Session): Promise<{ ms: number; page: Page }> {
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
  await page.goto(`${server.url}/runtime?sessionId=${sessionId}`);
  const ms = await page
    .waitForFunction('window.shownAt', undefined, { polling: 100 })
    .then((handle) => handle.jsonValue());
  return { ms: Number(ms), page };
}

async function opening(context: BrowserContext, session: Session): Promise<number> {
  const times: number[] = [];
  for (let i = -1; i < ROUNDS; i += 1) {
    const { ms, page } = await open(context, session);
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

async function row(page: Page, what: string) {
  const { frames, slow, slowest, jumps, farthest } = (await page.evaluate('window.watched')) as Watched;
  return {
    what,
    frames,
    'slow of 1,000': Math.round((1000 * slow) / frames),
    'slowest ms': Math.round(slowest),
    jumps,
    'farthest px': Math.round(farthest),
    elements: Number(await page.evaluate('document.querySelectorAll("*").length')),
  };
}

/** The machine's own share: the short session scrolled up and down, with nothing to load. */
async function scrollFloor(context: BrowserContext, session: Session) {
  const { page } = await open(context, session);
  await page.getByRole('log', { name: 'Conversation' }).hover();
  await page.evaluate(WATCH);
  for (let i = 0; i < 40; i += 1) await turnWheel(page, i % 4 < 2 ? -120 : 120);
  const floor = await row(page, `${FLOOR} exchanges, to and fro`);
  await page.close();
  // Only the way up is checked for jumps.
  return { ...floor, jumps: 0, 'farthest px': 0 };
}

async function readUp(context: BrowserContext, session: Session, exchanges: number) {
  const { page } = await open(context, session);
  await page.getByRole('log', { name: 'Conversation' }).hover();
  await page.evaluate(WATCH);
  const here = () => page.locator('[data-task]').count();
  const until = Date.now() + 300_000;
  while ((await here()) < exchanges && Date.now() < until) await turnWheel(page, -120);
  const up = await row(page, `${await here()} of ${SIZE} exchanges, up`);
  await page.getByRole('button', { name: 'Jump to latest' }).click();
  await page.waitForFunction('document.querySelectorAll("[data-task]").length < 100', undefined, { polling: 100 });
  const back = await row(page, 'and back at the end');
  await page.close();
  return [up, back];
}

try {
  const [small, large] = [await server.fill(FLOOR), await server.fill(SIZE)];
  // Only so that the measuring script may read the page.
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, bypassCSP: true });
  const cookies = server.cookie.split('; ').map((cookie) => {
    const [name = '', ...value] = cookie.split('=');
    return { name, value: value.join('='), url: server.url };
  });
  await context.addCookies(cookies);
  const [floor, full] = [await opening(context, small), await opening(context, large)];
  console.log(`timeline: median of ${ROUNDS}, ms from the navigation until the last exchange stands at the end`);
  console.table([
    { exchanges: FLOOR, ms: Math.round(floor) },
    { exchanges: SIZE, ms: Math.round(full), ratio: (full / floor).toFixed(2) },
  ]);
  const rest = await scrollFloor(context, small);
  console.log(`scrolling, 120 px of the wheel each frame; a frame over ${SLOW_FRAME_MS} ms is slow`);
  console.table([rest, ...(await readUp(context, large, READ))]);
} finally {
  await browser.close();
  await server.stop();
}
