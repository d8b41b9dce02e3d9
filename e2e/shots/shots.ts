import { join } from 'node:path';
import { type Page, type Route } from '@playwright/test';
import { expect, expectAccessible, test as journey } from '../journey.ts';
import { NOTHING_SPARED, PLACES, type Place, STATES, type State, sparedOf, type Who } from './pages.ts';
import { workshopOf } from './workshop-data.ts';

// Every page in every state, width and colour scheme: takes pictures into `shots/`, and fails if one scrolls sideways, logs an error,
// contacts another host, moves while it loads, or has axe findings.
//   npm run shots -- [--grep "runtime full pro"] [--project finger] [--workers 2]
// With `TEST_DATABASE_URL` the servers have databases on that PostgreSQL.

/** By device, narrowest first where axe runs. */
const WIDTHS: Record<string, readonly number[]> = { finger: [390, 320, 768], mouse: [1280, 1440, 1920] };
const HEIGHTS: Record<number, number> = { 320: 640, 390: 844, 768: 1024, 1280: 800, 1440: 900, 1920: 1080 };
/** Moving more than this while loading is a finding. */
const SHIFT_MAX = 0.01;

interface Visit {
  place: Place;
  state: State;
  who: Who;
  scheme: 'light' | 'dark';
}

/** Every visit; who sees a page matters only while its content depends on it. */
const VISITS = STATES.flatMap((state): Visit[] => {
  const whole = state === 'empty' || state === 'full';
  return PLACES.filter((place) => (place.states ?? STATES).includes(state)).flatMap((place) =>
    (whole ? place.who : place.who.slice(-1))
      .filter((who) => state !== 'empty' || who !== 'out')
      .flatMap((who) => (['light', 'dark'] as const).map((scheme) => ({ place, state, who, scheme }))),
  );
});

const REFUSAL = JSON.stringify({
  error: { code: 'internal', message: 'Something went wrong on the server (c0ffee12).' },
});
/** The browser's own message about a response that belongs to the state. */
const BELONGS: Partial<Record<State, RegExp>> = {
  failing: /status of 500/u,
  offline: /net::ERR_(?:FAILED|INTERNET_DISCONNECTED)/u,
};

const workshopAt = ({ place, state }: Visit) => workshopOf(state, place.operated);

const test = journey.extend<{ visit: Visit }>({
  visit: [{ place: PLACES[0], state: 'full', who: 'out', scheme: 'light' } as Visit, { option: true }],
  baseURL: async ({ visit }, use) => use(workshopAt(visit).url),
  storageState: async ({ visit }, use) => use(workshopAt(visit).people[visit.who]),
  colorScheme: async ({ visit }, use) => use(visit.scheme),
});

/** Holds, refuses or loses the page's requests. */
async function disturb(page: Page, { place, state }: Visit): Promise<void> {
  const spared = sparedOf(place);
  const answer: Partial<Record<State, (route: Route) => Promise<void>>> = {
    loading: async () => {},
    failing: (route) => route.fulfill({ status: 500, contentType: 'application/json', body: REFUSAL }),
    offline: (route) => route.abort('internetdisconnected'),
  };
  const act = answer[state];
  if (act === undefined || (state === 'offline' && place.loadedBefore)) return;
  await page.route(/\/(?:api\/|healthz)/u, (route) =>
    spared.test(route.request().url()) ? route.fallback() : act(route),
  );
}

/** A picture of ours that is not decoded yet would be missing in one of the whole page; a person's may never come. */
const PICTURES_DECODED = `Promise.all(
  [...document.images]
    .filter((one) => one.checkVisibility() && one.src.includes('/assets/'))
    .map((one) => one.decode().catch(() => {})),
).then(() => true)`;

/** Waits until nothing has changed on the page for a moment, at most some seconds. */
async function waitUntilStill(page: Page): Promise<void> {
  await page.evaluate('document.fonts.ready.then(() => true)');
  await page.evaluate(PICTURES_DECODED);
  let before = '';
  for (let still = 0, i = 0; still < 3 && i < 40; i += 1) {
    const now = String(
      await page.evaluate('`${document.body.innerHTML.length} ${document.querySelectorAll("*").length}`'),
    );
    still = now === before ? still + 1 : 0;
    before = now;
    await page.waitForTimeout(60);
  }
}

/** Skips the pauses between retries, until nothing waits any more; a busy machine takes longer for each. */
async function letAttemptsPass(page: Page): Promise<void> {
  for (let i = 0; i < 5 || (i < 30 && (await page.locator('.animate-breathe:visible').count()) > 0); i += 1) {
    await page.clock.fastForward(5000);
    await page.waitForTimeout(120);
  }
}

const WATCH_SHIFTS = `globalThis.__shift = { sum: 0, what: '' };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (entry.hadRecentInput) continue;
      globalThis.__shift.sum += entry.value;
      for (const { node } of entry.sources) {
        const box = node?.nodeType === 1 ? node : node?.parentElement;
        if (box) globalThis.__shift.what += ' <' + box.tagName.toLowerCase() + ' ' + String(box.className).slice(0, 50) + '>';
      }
    }
  }).observe({ type: 'layout-shift', buffered: true });`;

/** Opens the page and brings it into its state. */
async function open(page: Page, visit: Visit): Promise<void> {
  const { place, state } = visit;
  const waits = state === 'failing' || state === 'offline';
  if (waits) await page.clock.install();
  await page.addInitScript(WATCH_SHIFTS);
  await disturb(page, visit);
  await place.prepare?.(page);
  await page.goto(place.path(workshopAt(visit).addresses));
  await page.locator('main, [role="dialog"]').first().waitFor();
  // A picture of the whole page shows what nobody has scrolled to.
  await page.evaluate('for (const image of document.images) image.loading = "eager"');
  if (place.spared !== NOTHING_SPARED) await expect(page.getByText('Loading...', { exact: true })).toBeHidden();
  await waitUntilStill(page);
  const shift: { sum: number; what: string } = await page.evaluate('globalThis.__shift');
  // The notice about a lost connection appears after an event, not while the page loads.
  if (state !== 'offline') expect.soft(shift.sum, `moved while it loaded: ${shift.what}`).toBeLessThan(SHIFT_MAX);
  if (state === 'offline') {
    // An idle page has loaded what opens above it; then the connection is cut.
    await page.clock.fastForward(5000);
    await waitUntilStill(page);
    await page.context().setOffline(true);
  }
  if (waits) await letAttemptsPass(page);
  await waitUntilStill(page);
  await place.act?.(page, state);
  if (waits && place.asks) await letAttemptsPass(page);
  await waitUntilStill(page);
}

/** How high the window must be to show all that scrolls in the page's own box; more comes with a higher window. */
const WHOLE_HEIGHT = `(() => {
  const box = document.getElementById('content');
  return innerHeight + (box === null ? 0 : box.scrollHeight - box.clientHeight);
})()`;
const HEIGHT_MAX = 6000;

/** For people, what is not near the window is drawn when they come near. */
const ALL_DRAWN = '* { content-visibility: visible !important; }';

/** Boxes that scroll sideways, the window included; code and tables in an answer may, and the one line of tags. */
const SIDEWAYS = `(() => {
  const found = [];
  const root = document.documentElement;
  if (root.scrollWidth > innerWidth) found.push('the window: ' + root.scrollWidth + ' px in ' + innerWidth);
  if (document.getElementById('content') && root.scrollHeight > innerHeight + 1) found.push('the window scrolls down, not only its boxes');
  for (const box of document.querySelectorAll('body *')) {
    if (box.scrollWidth <= box.clientWidth + 1 || box.closest('pre, .sr-only, [aria-label="Tags of public agents"]') || box.querySelector(':scope > table')) continue;
    if (!/auto|scroll/.test(getComputedStyle(box).overflowX) || box.matches('input, textarea, select')) continue;
    found.push('<' + box.tagName.toLowerCase() + ' class="' + box.className + '">: ' + box.scrollWidth + ' px in ' + box.clientWidth);
  }
  return found;
})()`;

for (const one of VISITS) {
  const name = `${one.place.name} ${one.state} ${one.who} ${one.scheme}`;
  test.describe(() => {
    test.use({ visit: one });
    test(name, async ({ page, visit, complaints }, { project }) => {
      test.skip(visit.place.narrow === true && project.name !== 'finger', 'only where the sidebar is a drawer');
      for (const pattern of [BELONGS[visit.state], visit.place.complains]) {
        if (pattern !== undefined) complaints.expectConsole(pattern);
      }
      const widths = WIDTHS[project.name] ?? [];
      const resize = (width: number) => page.setViewportSize({ width, height: HEIGHTS[width] ?? 800 });
      await resize(widths[0] ?? 1280);
      await open(page, visit);
      for (const width of widths) {
        await resize(width);
        await page.waitForTimeout(80);
        // Popovers move a moment after the window; only what stays is a finding.
        if (((await page.evaluate(SIDEWAYS)) as string[]).length > 0) await page.waitForTimeout(500);
        expect.soft(await page.evaluate(SIDEWAYS), `sideways at ${width} px`).toEqual([]);
        if (visit.place.whole) {
          const height = Math.min(Number(await page.evaluate(WHOLE_HEIGHT)), HEIGHT_MAX);
          await page.setViewportSize({ width, height });
          await waitUntilStill(page);
        }
        const picture = `${visit.place.name}/${visit.state}-${visit.who}-${width}-${visit.scheme}.jpeg`;
        const path = join(import.meta.dirname, '../../shots', picture);
        const kind = { type: 'jpeg', quality: 75, fullPage: true, animations: 'disabled', style: ALL_DRAWN } as const;
        await page.screenshot({ path, ...kind });
      }
      await resize(widths[0] ?? 1280);
      await expectAccessible(page);
    });
  });
}
