// Lighthouse's scores (mobile preset, simulated throttling) for the built pages, served as in production, and the size of their scripts;
// the floor of a score is its target, the floor of a script its limit. Ends with 1 when one is missed.
//   npm run bench:lighthouse -- [--runs 3] [--only /login] [--json]
// Scripts count as Lighthouse saw them until the page was quiet; what loads once the page is idle doesn't count.
import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chromium } from '@playwright/test';
import { post, register, tellAgent } from '../e2e/workshop.ts';
import { needChromium } from '../scripts/chromium.ts';
import { eventually } from '../server/src/testing/eventually.ts';
import { endProcess } from '../server/src/testing/listen.ts';
import { measureOn, withServer } from './exchange/measured-process.ts';
import { type Figure, median, readOptions, report } from './report.ts';

// Lighthouse with its dependencies is a quarter of what this product installs; only those who measure need to download it.
const LIGHTHOUSE = 'lighthouse@13.5.0';

/** The parts of Lighthouse's report that are used here; scores are from 0 to 1. */
interface Report {
  categories: Record<string, { score: number | null }>;
  environment: { benchmarkIndex: number };
  audits: Record<string, { numericValue?: number; details?: { items?: { url: string; resourceType: string }[] } }>;
}

/** Starts a plain Chromium with its own profile; returns its address for tools, and how to audit a page and to end it. */
async function startBrowser() {
  const profile = mkdtempSync(join(tmpdir(), 'atelier-lighthouse-'));
  const off = ['gpu', 'extensions', 'background-networking', 'component-update', 'sync'].map(
    (what) => `--disable-${what}`,
  );
  const own = ['--password-store=basic', '--remote-debugging-port=0', `--user-data-dir=${profile}`];
  const args = ['--headless=new', '--no-sandbox', '--no-first-run', ...off, ...own, 'about:blank'];
  const child = spawn(needChromium(), args, { stdio: 'ignore' });
  const portFile = join(profile, 'DevToolsActivePort');
  let port = '';
  await eventually(() => {
    port = readFileSync(portFile, 'utf8').split('\n')[0] ?? '';
    if (port === '') throw new Error('Chromium has not opened its port');
  });
  return {
    address: `http://127.0.0.1:${port}`,
    /** Audits a page with Lighthouse's mobile preset; repeats it when a busy machine loses the trace. */
    async audit(url: string): Promise<Report> {
      const call = ['-y', '-p', LIGHTHOUSE, 'lighthouse', url, `--port=${port}`, '--output=json', '--quiet'];
      for (let tries = 1; ; tries += 1) {
        try {
          const { stdout } = await promisify(execFile)('npx', call, { maxBuffer: 256 * 1024 * 1024 });
          return JSON.parse(stdout);
        } catch (error) {
          if (tries === 3) throw error;
        }
      }
    },
    async stop() {
      await endProcess(child, 'SIGTERM');
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

const { runs, only } = readOptions({ runs: '3', only: '' });
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
const [PERFORMANCE] = CATEGORIES;
/** Below this, Lighthouse itself calls the machine too slow to simulate a phone. */
const SLOW_MACHINE = 1000;
const KB = 1000;
/** The workspace with an open conversation, including the code that shows and formats one. */
const WITH_SESSION = '/runtime?sessionId';
/** A shared conversation, as a visitor sees it. */
const SHARED = '/shared';

/** What each page must reach: of every category 100, unless it says otherwise. */
const PAGES: { path: string; performance?: number; seo?: boolean; scriptKb?: number; isSignedIn?: true }[] = [
  { path: '/', scriptKb: 10 },
  { path: '/terms' },
  { path: '/privacy' },
  { path: '/contact' },
  { path: '/login' },
  { path: '/signup' },
  // From here on not meant for search engines.
  { path: SHARED, seo: false },
  { path: '/runtime', performance: 95, seo: false, scriptKb: 170, isSignedIn: true },
  { path: WITH_SESSION, performance: 95, seo: false, isSignedIn: true },
  { path: '/explore', performance: 95, seo: false, isSignedIn: true },
];

const browser = await startBrowser();

/** Signs up and has a short conversation, in the audited window or in one of its own; returns the session's address, or that of a link to it. */
async function furnish(server: string, isShared: boolean): Promise<string> {
  const remote = await chromium.connectOverCDP(browser.address);
  const page = await (isShared ? await remote.newContext() : remote.contexts()[0])?.newPage();
  if (page === undefined) throw new Error('The browser has no window');
  await page.goto(server);
  await register(page, undefined, server);
  const { agent } = await post(page, 'agents', {
    name: 'Trip Planner',
    prompt: 'You help me plan trips with my family.',
  });
  const sessionId = await tellAgent(page, agent.id, [
    'My sister Nora is allergic to peanuts.',
    'We fly to Lisbon on 14 May and come back on the 21st.',
    'What is Nora allergic to?',
  ]);
  let address = `${server}${WITH_SESSION}=${sessionId}`;
  if (isShared) {
    const { share } = await post(page, `sessions/${sessionId}/shares`, { withReceipts: true });
    address = `${server}${SHARED}/${share.token}`;
  }
  // The browser remembers the visit, as that of somebody who comes back.
  await page.goto(address);
  await page.getByText('What is Nora allergic to?').first().waitFor({ timeout: 0 });
  await page.close();
  // Only disconnects; the browser keeps running.
  await remote.close();
  return address;
}

/** The size of a page's scripts, as the server sends them to a browser, without headers. */
const scriptBytes = ({ audits }: Report, server: string): number =>
  (audits['network-requests']?.details?.items ?? [])
    .filter(({ url, resourceType }) => resourceType === 'Script' && url.startsWith(server))
    .map(({ url }) => new URL(`../web/build/client${new URL(url).pathname}`, import.meta.url).pathname)
    .reduce((sum, file) => sum + statSync(existsSync(`${file}.br`) ? `${file}.br` : file).size, 0);

async function look({ path, performance = 100, seo = true, scriptKb }: (typeof PAGES)[number], url: string) {
  const figures: Figure[] = [];
  const reports: Report[] = [];
  for (let i = 0; i < Number(runs); i += 1) reports.push(await browser.audit(url));
  const middle = (of: (one: Report) => number) => median(reports.map(of));
  for (const name of CATEGORIES) {
    const ours = middle(({ categories }) => Math.round(100 * (categories[name]?.score ?? 0)));
    const target = name === PERFORMANCE ? performance : 100;
    const floor = name === 'seo' && !seo ? undefined : target;
    figures.push({ what: name, on: path, unit: '', floor, ours });
  }
  for (const name of ['first-contentful-paint', 'largest-contentful-paint', 'total-blocking-time']) {
    figures.push({ what: name, on: path, unit: 'ms', ours: middle(({ audits }) => audits[name]?.numericValue ?? NaN) });
  }
  const shift = middle(({ audits }) => audits['cumulative-layout-shift']?.numericValue ?? NaN);
  figures.push({ what: 'layout shift × 1,000', on: path, unit: '', ours: 1000 * shift });
  const [first] = reports;
  const script = first === undefined ? Number.NaN : scriptBytes(first, new URL(url).origin) / KB;
  figures.push({ what: 'script as served', on: path, unit: 'KB', floor: scriptKb, ours: script });
  const index = middle(({ environment }) => environment.benchmarkIndex);
  if (index < SLOW_MACHINE) console.log(`${path}: the machine is slow or busy (${index}), performance may be better`);
  return figures;
}

const wanted = PAGES.filter(({ path }) => only === '' || only === path);
const figures = await measureOn('embedded', async (create) => {
  const { env } = await create(async () => {});
  return withServer('shipped', { OFFLINE_PAUSE_MS: '0', ...env }, async ({ address }) => {
    const found: Figure[] = [];
    const addresses = new Map<string, string>();
    if (wanted.some(({ path }) => path === SHARED)) addresses.set(SHARED, await furnish(address, true));
    for (const page of wanted) {
      // Nobody is signed in yet when the pages for everybody are audited.
      if (page.isSignedIn && !addresses.has(WITH_SESSION)) addresses.set(WITH_SESSION, await furnish(address, false));
      found.push(...(await look(page, addresses.get(page.path) ?? `${address}${page.path}`)));
    }
    return found;
  });
}).finally(browser.stop);
report(`Lighthouse, mobile preset, simulated throttling, median of ${runs}; the floor is what we promise`, figures);
const missed = figures.filter(
  ({ unit, floor, ours }) => floor !== undefined && (unit === 'KB' ? ours > floor : ours < floor),
);
for (const { what, on, floor, ours } of missed) console.log(`missed  ${on}: ${what} ${ours.toFixed(1)}, not ${floor}`);
process.exitCode = missed.length > 0 ? 1 : 0;
