import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setTimeout } from 'node:timers/promises';
import AxeBuilder from '@axe-core/playwright';
import {
  type BrowserContext,
  test as base,
  type CDPSession,
  type ConsoleMessage,
  expect,
  type Page,
} from '@playwright/test';
import type { Result, RunOptions } from 'axe-core';
import { type FakeOpenAI, startFakeOpenAI } from '../server/src/testing/fake-openai.ts';
import { startShop } from './paystack.ts';
import { isOnPhone, PHONE } from './phone.ts';
import { type Server, type SharedServer, sharedServer, startServer } from './server.ts';

export { expect };

interface Complaints {
  /** Expects a console error in this journey, because the server is meant to refuse or to be gone. */
  expectConsole(pattern: RegExp): void;
}

/** A model provider controlled by the journey, and a server that uses it. */
interface Provided {
  server: Server;
  provider: FakeOpenAI;
}

interface Fixtures {
  provided: Provided;
  complaints: Complaints;
}

interface WorkerFixtures {
  /** A server with everything embedded, for all journeys of all workers; see `newTag`. */
  server: SharedServer;
  /** The same for the whole worker. */
  providedHere: Provided;
  /** A server with keys of Paystack, whose hosts each journey simulates in its own browser. */
  shop: Awaited<ReturnType<typeof startShop>>;
}

const lag = (most: number) => setTimeout(Math.random() * most);
const gone = () => undefined;
const inPages = (context: BrowserContext, begin: (cdp: CDPSession) => Promise<unknown>) =>
  context.on('page', (page) => context.newCDPSession(page).then(begin).catch(gone));
const before = (context: BrowserContext, what: RegExp, most: number) =>
  context.route(what, (route) =>
    lag(most)
      .then(() => route.continue())
      // A journey took back its own handling of the request, which let it go, or has ended.
      .catch(gone),
  );

/**
 * What `TEST_LAG=calls:800,processor:4` slows down in all pages. `calls` are held back by up to 800 ms before they are made, `answers` once
 * they are there, `scripts` before they are fetched; the `processor` is four times slower.
 */
const LAGS: Record<string, (context: BrowserContext, most: number) => unknown> = {
  calls: (context, most) => before(context, /\/api\//u, most),
  scripts: (context, most) => before(context, /\.js(?:\?|$)/u, most),
  answers: (context, most) =>
    inPages(context, async (cdp) => {
      cdp.on('Fetch.requestPaused', ({ requestId }) =>
        lag(most)
          .then(() => cdp.send('Fetch.continueRequest', { requestId }))
          .catch(gone),
      );
      await cdp.send('Fetch.enable', { patterns: [{ urlPattern: '*/api/*', requestStage: 'Response' }] });
    }),
  processor: (context, rate) => inPages(context, (cdp) => cdp.send('Emulation.setCPUThrottlingRate', { rate })),
};
const lags = (process.env.TEST_LAG?.split(',') ?? []).map((one) => {
  const [kind = '', most] = one.split(':');
  const begin = LAGS[kind];
  if (begin === undefined) throw new Error(`TEST_LAG knows ${Object.keys(LAGS).join(', ')}, not “${kind}”.`);
  return (context: BrowserContext) => begin(context, Number(most));
});

const PAYMENT_HOSTS = ['checkout.paystack.com', 'api.paystack.co', 'standard.paystack.co', 'applepay.cdn-apple.com'];

/** Records requests to other hosts. The payment provider's are allowed once somebody has pressed to pay. */
function watchHosts(context: BrowserContext, heard: string[]): void {
  let paying = false;
  context.on('request', (request) => {
    const { protocol, hostname, pathname } = new URL(request.url());
    if (!protocol.startsWith('http') || hostname === 'localhost' || hostname === '127.0.0.1') {
      paying ||= request.method() === 'POST' && pathname === '/api/billing/checkout';
    } else if (!paying || !PAYMENT_HOSTS.includes(hostname)) {
      heard.push(`a request to another host: ${request.url()}`);
    }
  });
}

function watch(context: BrowserContext, heard: string[]): void {
  watchHosts(context, heard);

  context.on('console', (message: ConsoleMessage) => {
    if (message.type() === 'error') heard.push(`${message.text()} (${message.location().url})`);
  });
  context.on('weberror', (error) => heard.push(String(error.error().stack ?? error.error())));
}

/**
 * Playwright's test with our servers. What lives as long as a worker stands here, and starts for the first journey that uses it: a file with
 * such fixtures of its own would need workers of its own. Any console error, any error nobody caught in a page, and any request to another host fails
 * the journey.
 */
export const test = base.extend<Fixtures, WorkerFixtures>({
  browser: [
    async ({ browser }, use) => {
      const open = browser.newContext.bind(browser);
      browser.newContext = async (options) => {
        const context = await open(options);
        for (const slow of lags) await slow(context);
        return context;
      };
      await use(browser);
    },
    { scope: 'worker' },
  ],
  server: [async ({}, use) => use(sharedServer()), { scope: 'worker' }],
  providedHere: [
    async ({}, use) => {
      const provider = await startFakeOpenAI();
      const server = await startServer({
        OPENAI_BASE_URL: provider.url,
        OPENAI_API_KEY: 'sk-journey-0123456789',
        FETCH_ALLOWED: '127.0.0.1',
        // A journey may hold an answer for longer than a provider may be silent.
        MODEL_TIMEOUT_MS: '120000',
      });
      await use({ server, provider });
      await server.stop();
      await provider.close();
    },
    { scope: 'worker' },
  ],
  // No journey meets the answers that another one arranged.
  provided: async ({ providedHere }, use) => {
    providedHere.provider.reset();
    await use(providedHere);
  },
  shop: [
    async ({}, use) => {
      const shop = await startShop();
      await use(shop);
      await shop.server.stop();
      await shop.paystack.close();
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ server }, use) => use(server.url),
  viewport: async ({ viewport }, use, { tags }) => use(isOnPhone(tags) ? PHONE.viewport : viewport),
  hasTouch: async ({ hasTouch }, use, { tags }) => use(isOnPhone(tags) ? PHONE.hasTouch : hasTouch),
  complaints: [
    async ({ browser, context }, use) => {
      const heard: string[] = [];
      const expected: RegExp[] = [];
      const listen = (one: BrowserContext) => watch(one, heard);
      listen(context);
      browser.on('context', listen);
      await use({ expectConsole: (pattern) => void expected.push(pattern) });
      // The pages of others would go on asking, of servers that have ended too, for as long as the browser lives.
      browser.off('context', listen);
      for (const other of browser.contexts()) if (other !== context) await other.close();
      expect(heard.filter((line) => !expected.some((pattern) => pattern.test(line)))).toEqual([]);
    },
    { auto: true },
  ],
});

/** Half as long as what `axe-core` exports. */
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const OPTIONS: RunOptions = { resultTypes: ['violations'] };

/** Axe's findings on a page without frames. Loading it takes longer than running it, so a page keeps it. */
async function findIn(page: Page): Promise<Result[]> {
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(axeSource);
  return page.evaluate(`axe.run(document, ${JSON.stringify(OPTIONS)}).then(({ violations }) => violations)`);
}

/** Fails when axe finds anything on the current page. */
export async function expectAccessible(page: Page): Promise<void> {
  const violations =
    page.frames().length === 1
      ? await findIn(page)
      : (await new AxeBuilder({ page }).options(OPTIONS).analyze()).violations;
  const found = violations.map(({ id, help, nodes }) => `${id}: ${help}\n  ${nodes.map((n) => n.html).join('\n  ')}`);
  expect(found, `axe on ${page.url()}`).toEqual([]);
}

/** Changes what the machine prefers, and waits until the page has heard of it: axe would mix the colours of both. */
export async function showIn(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme);
}

/** Fails when the page scrolls sideways. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const beyond = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  expect(beyond, `${page.url()} scrolls sideways`).toBe(0);
}

/** Checks the page at 390 px in dark, and shows it as before. */
export async function expectFineOnPhone(page: Page): Promise<void> {
  await page.setViewportSize({ width: 390, height: 844 });
  await showIn(page, 'dark');
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await showIn(page, 'light');
}

/** Fails when the page scrolls sideways as it is or, without loading it again, on a phone: for journeys that run on a desktop only by day. */
export async function expectFits(page: Page): Promise<void> {
  await expectNoSidewaysScroll(page);
  const size = page.viewportSize() ?? PHONE.viewport;
  await page.setViewportSize(PHONE.viewport);
  await expectNoSidewaysScroll(page);
  await page.setViewportSize(size);
}
