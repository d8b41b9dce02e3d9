import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Browser, chromium } from '@playwright/test';
import { CHROMIUM_ADVICE, findChromium } from './chromium.ts';
import { PEOPLE, PLACES, STATES } from './shots/pages.ts';
import { DEVICES, nameOf, take, type Visit } from './shots/visit.ts';
import { openWorkshop, type Workshop } from './shots/workshop-data.ts';

// Checks every page in every state, width and colour scheme: takes pictures into `shots/`, and fails with a list if one scrolls sideways,
// logs an error, contacts another host, moves while it loads, or has axe findings.
//   npm run shots [-- --page runtime,session] [--state full] [--width 390] [--scheme dark] [--who pro] [--workers 2]

const { values } = parseArgs({
  options: {
    page: { type: 'string' },
    state: { type: 'string' },
    width: { type: 'string' },
    scheme: { type: 'string' },
    who: { type: 'string' },
    workers: { type: 'string', default: '2' },
  },
});
const folder = join(import.meta.dirname, '..', 'shots');
const WIDTHS = DEVICES.flatMap((device) => device.widths);
const SCHEMES = ['light', 'dark'] as const;

/** The values selected by an option, all without it. Throws for an unknown value. */
function chosen<T extends string | number>(name: keyof typeof values, all: readonly T[]): T[] {
  const asked = values[name]?.split(',') ?? all.map(String);
  const unknown = asked.filter((one) => !all.map(String).includes(one));
  if (unknown.length > 0) throw new Error(`--${name} ${unknown.join(',')}: choose of ${all.join(', ')}`);
  return all.filter((one) => asked.includes(String(one)));
}

const widths = chosen('width', WIDTHS);
const schemes = chosen('scheme', SCHEMES);
const names = chosen(
  'page',
  PLACES.map((place) => place.name),
);
const states = chosen('state', STATES);
const people = chosen('who', PEOPLE);

/** Every requested visit; who sees a page matters only while its content depends on it. */
function visitsOf(state: (typeof STATES)[number]): Visit[] {
  const places = PLACES.filter((place) => names.includes(place.name) && (place.states ?? STATES).includes(state));
  return places.flatMap((place) => {
    const whole = state === 'empty' || state === 'full';
    const who = whole ? place.who : place.who.slice(-1);
    const devices = DEVICES.filter((device) => !place.narrow || device.name === 'finger');
    return who
      .filter((one) => people.includes(one) && (state !== 'empty' || one !== 'out'))
      .flatMap((one) =>
        schemes.flatMap((scheme) => devices.map((device) => ({ place, state, who: one, scheme, device }))),
      );
  });
}

const findings: string[] = [];
// An interrupted run still prints its list so far, and leaves no server behind.
let stopped = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => (stopped = true));
let taken = 0;
let pictures = 0;

async function takeAll(browser: Browser, workshop: Workshop, visits: Visit[], of: number): Promise<void> {
  const queue = visits.values();
  const work = async () => {
    for (const visit of queue) {
      if (stopped) return;
      const at = visit.device.widths.filter((width) => widths.includes(width));
      if (at.length === 0) continue;
      const found = await take(browser, workshop, visit, { widths: at, folder });
      taken += 1;
      pictures += at.length;
      findings.push(...found.map((line) => `${nameOf(visit)} (${visit.device.name}): ${line}`));
      console.log(`${String(taken).padStart(4)} of ${of}  ${nameOf(visit)} ${at.join(' ')}`);
      for (const line of found) console.log(`      ${line}`);
    }
  };
  await Promise.all(Array.from({ length: Number(values.workers) }, work));
}

const executablePath = findChromium();
if (executablePath === undefined) throw new Error(CHROMIUM_ADVICE);
if (!existsSync(join(import.meta.dirname, '..', 'web', 'build', 'client', 'index.html'))) {
  throw new Error('The pages are not built. Run `npm run build` first.');
}
const since = Date.now();
if (process.argv.length === 2) rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
try {
  const planned = states.map((state) => ({ state, visits: visitsOf(state) }));
  const of = planned.reduce((sum, { visits }) => sum + visits.length, 0);
  for (const full of [false, true]) {
    const visits = planned.filter(({ state }) => (state !== 'empty') === full).flatMap((plan) => plan.visits);
    if (visits.length === 0 || stopped) continue;
    const workshop = await openWorkshop(full);
    await takeAll(browser, workshop, visits, of).finally(() => workshop.stop());
  }
} finally {
  await browser.close();
}
console.log(`${pictures} pictures in ${folder}, ${Math.round((Date.now() - since) / 1000)} s`);
for (const line of findings) console.error(line);
console.log(findings.length === 0 ? 'Nothing was found.' : `${findings.length} found.`);
process.exit(findings.length === 0 ? 0 : 1);
