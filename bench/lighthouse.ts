// Lighthouse's scores (mobile preset, simulated throttling) for the built pages, served as in production, and the size of their scripts.
// Ends with 1 when a score or a size misses its target.
//   node scripts/run.mjs bench/lighthouse.ts [--runs 3] [--only /login] [--why]
// Scripts count as Lighthouse saw them until the page was quiet; what loads once the page is idle doesn't count.
import { get } from 'node:http';
import { parseArgs } from 'node:util';
import { chromium } from '@playwright/test';
import { startServer } from '../e2e/server.ts';
import { ask, createAgent, signUp, startSession } from '../e2e/workshop.ts';
import { type Report, startBrowser } from './lighthouse-browser.ts';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '3' },
    only: { type: 'string' },
    why: { type: 'boolean', default: false },
  },
});
const RUNS = Number(values.runs);
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
/** Below this, Lighthouse itself calls the machine too slow to simulate a phone. */
const SLOW_MACHINE = 1000;
const KB = 1000;
const LIMITS = { landing: 10 * KB, runtime: 170 * KB };
/** The workspace with an open conversation, including the code that shows and formats one. */
const WITH_SESSION = '/runtime?sessionId';

type Scores = Record<(typeof CATEGORIES)[number], number>;
const FULL: Scores = { performance: 100, accessibility: 100, 'best-practices': 100, seo: 100 };
/** The workspace is not meant for search engines: its SEO score is shown without a target. */
const WORKSPACE: Partial<Scores> = { performance: 95, accessibility: 100, 'best-practices': 100 };

const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
const kb = (bytes: number) => `${(bytes / KB).toFixed(1)} KB`;

const server = await startServer({ OFFLINE_PAUSE_MS: '0' });
const browser = await startBrowser();
const failures: string[] = [];

/** Signs up in the audited browser and has a short conversation; returns the session's address. */
async function furnish(): Promise<string> {
  const remote = await chromium.connectOverCDP(browser.address);
  const page = await remote.contexts()[0]?.newPage();
  if (page === undefined) throw new Error('The browser has no window');
  await signUp(page, undefined, server.url);
  await createAgent(page, 'Trip Planner', 'You help me plan trips with my family.');
  await startSession(page, 'Trip Planner');
  for (const text of [
    'My sister Nora is allergic to peanuts.',
    'We fly to Lisbon on 14 May and come back on the 21st.',
    'What is Nora allergic to?',
  ]) {
    await ask(page, text);
  }
  const address = page.url();
  await page.close();
  // Only disconnects; the browser keeps running.
  await remote.close();
  return address;
}

async function audit(path: string, url: string, targets: Partial<Scores>): Promise<Report> {
  const reports: Report[] = [];
  for (let i = 0; i < RUNS; i += 1) reports.push(await browser.audit(url));
  const score = (name: (typeof CATEGORIES)[number]) =>
    Math.round(100 * median(reports.map((report) => report.categories[name]?.score ?? 0)));
  const value = (name: string) => median(reports.map((report) => report.audits[name]?.numericValue ?? Number.NaN));
  const rows: Record<string, string | number> = Object.fromEntries(CATEGORIES.map((name) => [name, score(name)]));
  for (const name of CATEGORIES) {
    const target = targets[name];
    if (target !== undefined && score(name) < target) failures.push(`${path}: ${name} ${score(name)}, not ${target}`);
  }
  rows['first paint ms'] = Math.round(value('first-contentful-paint'));
  rows['largest paint ms'] = Math.round(value('largest-contentful-paint'));
  rows['blocked ms'] = Math.round(value('total-blocking-time'));
  rows['layout shift'] = value('cumulative-layout-shift').toFixed(3);
  rows['benchmark index'] = Math.round(median(reports.map((report) => report.environment.benchmarkIndex)));
  table[path] = rows;
  const [first] = reports;
  if (first === undefined) throw new Error('At least one run is needed');
  if (values.why) explain(path, first);
  return first;
}

/** The audits that cost points. */
function explain(path: string, { audits }: Report): void {
  for (const [id, { score, title, displayValue = '', details }] of Object.entries(audits)) {
    if (score === null || score >= 0.9) continue;
    console.log(`${path}: ${id} ${score} ${title} ${displayValue}`);
    for (const item of details?.items?.slice(0, 8) ?? []) console.log(`    ${JSON.stringify(item).slice(0, 400)}`);
  }
}

/** The size of a page's own files by kind, compressed as the server sends them to a browser. */
async function weigh(report: Report): Promise<Record<string, number>> {
  const weights: Record<string, number> = {};
  for (const { url, resourceType } of report.audits['network-requests']?.details?.items ?? []) {
    if (typeof url !== 'string' || !url.startsWith(server.url) || new URL(url).pathname.startsWith('/api/')) continue;
    const kind = String(resourceType);
    weights[kind] = (weights[kind] ?? 0) + (await sizeAsSent(url));
  }
  return weights;
}

/** In bytes, without headers. */
function sizeAsSent(url: string): Promise<number> {
  return new Promise((done, failed) => {
    get(url, { headers: { 'accept-encoding': 'gzip, deflate, br' } }, (response) => {
      let size = 0;
      response.on('data', (part: Buffer) => {
        size += part.length;
      });
      response.once('end', () => done(size)).once('error', failed);
    }).once('error', failed);
  });
}

const table: Record<string, Record<string, string | number>> = {};
const weights: Record<string, Record<string, string>> = {};
const wanted = (path: string) => values.only === undefined || values.only === path;
/** Audits a page and adds up the size of what it loaded. */
async function look(path: string, url: string, targets: Partial<Scores>): Promise<Record<string, number>> {
  const found = await weigh(await audit(path, url, targets));
  weights[path] = Object.fromEntries(Object.entries(found).map(([kind, bytes]) => [kind, kb(bytes)]));
  return found;
}

function limit(what: string, bytes: number, most: number): void {
  console.log(`${what}: ${kb(bytes)} of script as served (at most ${kb(most)})`);
  if (bytes > most) failures.push(`${what}: ${kb(bytes)} of script, not ${kb(most)}`);
}

try {
  for (const path of ['/', '/terms', '/login'].filter(wanted)) {
    const { Script = 0 } = await look(path, `${server.url}${path}`, FULL);
    if (path === '/') limit('the landing page', Script, LIMITS.landing);
  }
  if (wanted('/runtime') || wanted(WITH_SESSION)) {
    const session = await furnish();
    if (wanted('/runtime')) {
      const { Script = 0 } = await look('/runtime', `${server.url}/runtime`, WORKSPACE);
      limit("/runtime's first load", Script, LIMITS.runtime);
    }
    if (wanted(WITH_SESSION)) await look(WITH_SESSION, session, WORKSPACE);
  }
} finally {
  await browser.stop();
  await server.stop();
}

console.log(`Lighthouse, mobile preset, simulated throttling, median of ${RUNS}`);
console.table(table);
console.log('Weight: compressed as served, without headers');
console.table(weights);
const slow = Object.values(table).some((row) => Number(row['benchmark index']) < SLOW_MACHINE);
if (slow)
  console.log(
    `The machine is slow or busy (benchmark index below ${SLOW_MACHINE}): performance may be better than told.`,
  );
for (const failure of failures) console.log(`missed  ${failure}`);
process.exitCode = failures.length > 0 ? 1 : 0;
