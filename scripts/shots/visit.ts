import { join } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import { type Browser, type BrowserContext, expect, type Page, type Route } from '@playwright/test';
import { NOTHING_SPARED, type Place, type State, sparedOf, type Who } from './pages.ts';
import type { Workshop } from './workshop-data.ts';

export type Scheme = 'light' | 'dark';
export interface Device {
  name: 'finger' | 'mouse';
  widths: readonly number[];
}

/** Devices with touch or a mouse, narrowest first; axe runs at the first requested width. */
export const DEVICES: readonly Device[] = [
  { name: 'finger', widths: [390, 320, 768] },
  { name: 'mouse', widths: [1280, 1920] },
];
const HEIGHTS: Record<number, number> = { 320: 640, 390: 844, 768: 1024, 1280: 800, 1920: 1080 };
/** Moving more than this while loading is a finding. */
const SHIFT_MAX = 0.01;

export interface Visit {
  place: Place;
  state: State;
  who: Who;
  scheme: Scheme;
  device: Device;
}

export const nameOf = ({ place, state, who, scheme }: Visit) => `${place.name}-${state}-${who}-${scheme}`;

const REFUSAL = JSON.stringify({
  error: { code: 'internal', message: 'Something went wrong on the server (c0ffee12).' },
});
/** The browser's own message about a response that belongs to the state. */
const BELONGS: Partial<Record<State, RegExp>> = {
  failing: /status of 500/u,
  offline: /net::ERR_(?:FAILED|INTERNET_DISCONNECTED)/u,
};

/** Collects what must never happen on any page. */
function watch(context: BrowserContext, { place, state }: Visit, origin: string): string[] {
  const heard: string[] = [];
  context.on('console', (message) => {
    const line = `${message.text()} (${message.location().url})`;
    const expected = BELONGS[state]?.test(line) || place.complains?.test(line);
    if (message.type() === 'error' && !expected) heard.push(`console: ${line}`);
  });
  context.on('weberror', (error) => heard.push(`nobody caught: ${String(error.error().stack ?? error.error())}`));
  context.on('request', (request) => {
    const url = new URL(request.url());
    if (/^https?:|^wss?:/u.test(url.protocol) && url.origin !== origin)
      heard.push(`a request to another host: ${url.href}`);
  });
  return heard;
}

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

/** Waits until nothing has changed on the page for a moment, at most some seconds. */
async function waitUntilStill(page: Page): Promise<void> {
  await page.evaluate('document.fonts.ready.then(() => true)');
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

/** Skips the pauses between retries. */
async function letAttemptsPass(page: Page): Promise<void> {
  for (let i = 0; i < 5; i += 1) {
    await page.clock.fastForward(5000);
    await page.waitForTimeout(120);
  }
}

const isWaiting = ({ state }: Visit) => state === 'failing' || state === 'offline';

/** Opens the page and brings it into its state; returns what moved meanwhile as a finding. */
async function open(page: Page, visit: Visit, workshop: Workshop): Promise<string[]> {
  const { place, state } = visit;
  const waits = isWaiting(visit);
  if (waits) await page.clock.install();
  await page.addInitScript(
    `globalThis.__shift = { sum: 0, what: '' };
     new PerformanceObserver((list) => {
       for (const entry of list.getEntries()) {
         if (entry.hadRecentInput) continue;
         globalThis.__shift.sum += entry.value;
         for (const { node } of entry.sources) {
           const box = node?.nodeType === 1 ? node : node?.parentElement;
           if (box) globalThis.__shift.what += ' <' + box.tagName.toLowerCase() + ' ' + String(box.className).slice(0, 50) + '>';
         }
       }
     }).observe({ type: 'layout-shift', buffered: true });`,
  );
  await disturb(page, visit);
  await page.goto(`${workshop.url}${place.path(workshop.addresses)}`);
  await page.locator('main, [role="dialog"]').first().waitFor();
  if (place.spared !== NOTHING_SPARED) await expect(page.getByText('Loading...', { exact: true })).toBeHidden();
  await waitUntilStill(page);
  const shift: { sum: number; what: string } = await page.evaluate('globalThis.__shift');
  if (state === 'offline') {
    // An idle page has loaded what opens above it; then the connection is cut.
    await page.clock.fastForward(5000);
    await waitUntilStill(page);
    await page.context().setOffline(true);
  }
  if (waits) await letAttemptsPass(page);
  await waitUntilStill(page);
  // The notice about a lost connection appears after an event, not while the page loads.
  return shift.sum > SHIFT_MAX && state !== 'offline'
    ? [`the layout moved while it loaded: ${shift.sum.toFixed(3)}${shift.what}`]
    : [];
}

/** Boxes that scroll sideways, the window included; code and tables in an answer may. */
const SIDEWAYS = `(() => {
  const found = [];
  const root = document.documentElement;
  if (root.scrollWidth > innerWidth) found.push('the window: ' + root.scrollWidth + ' px in ' + innerWidth);
  if (document.getElementById('content') && root.scrollHeight > innerHeight + 1) found.push('the window scrolls down, not only its boxes');
  for (const box of document.querySelectorAll('body *')) {
    if (box.scrollWidth <= box.clientWidth + 1 || box.closest('pre, .sr-only') || box.querySelector(':scope > table')) continue;
    if (!/auto|scroll/.test(getComputedStyle(box).overflowX) || box.matches('input, textarea, select')) continue;
    found.push('<' + box.tagName.toLowerCase() + ' class="' + box.className + '">: ' + box.scrollWidth + ' px in ' + box.clientWidth);
  }
  return found;
})()`;

async function accessibility(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.map(
    ({ id, help, nodes }) => `axe ${id}: ${help} · ${nodes.length} × ${nodes[0]?.html.slice(0, 200)}`,
  );
}

async function photograph(page: Page, visit: Visit, widths: readonly number[], folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const [i, width] of widths.entries()) {
    await page.setViewportSize({ width, height: HEIGHTS[width] ?? 800 });
    await page.waitForTimeout(80);
    let sideways: string[] = await page.evaluate(SIDEWAYS);
    if (sideways.length > 0) {
      // Popovers move a moment after the window; only what stays is a finding.
      await page.waitForTimeout(500);
      sideways = await page.evaluate(SIDEWAYS);
    }
    found.push(...sideways.map((box) => `sideways at ${width} px: ${box}`));
    if (i === 0) found.push(...(await accessibility(page)).map((line) => `at ${width} px: ${line}`));
    const path = join(folder, visit.place.name, `${visit.state}-${visit.who}-${width}-${visit.scheme}.jpeg`);
    await page.screenshot({ path, type: 'jpeg', quality: 75, fullPage: true, animations: 'disabled' });
  }
  return found;
}

/** Opens one page in one state and takes its pictures; returns what is wrong with it. */
export async function take(
  browser: Browser,
  workshop: Workshop,
  visit: Visit,
  { widths, folder }: { widths: readonly number[]; folder: string },
): Promise<string[]> {
  const [width = 1280] = widths;
  const context = await browser.newContext({
    viewport: { width, height: HEIGHTS[width] ?? 800 },
    hasTouch: visit.device.name === 'finger',
    colorScheme: visit.scheme,
    reducedMotion: 'reduce',
    locale: 'en-GB',
    storageState: workshop.people[visit.who],
  });
  const heard = watch(context, visit, workshop.url);
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(15_000);
    heard.push(...(await open(page, visit, workshop)));
    await visit.place.act?.(page, visit.state);
    if (isWaiting(visit) && visit.place.asks) await letAttemptsPass(page);
    await waitUntilStill(page);
    return [...(await photograph(page, visit, widths, folder)), ...heard];
  } catch (error) {
    return [...heard, `could not be taken: ${error instanceof Error ? error.message : String(error)}`];
  } finally {
    await context.close();
  }
}
