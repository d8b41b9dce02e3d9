import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { CHROMIUM_ADVICE, findOrInstallChromium } from '../scripts/chromium.ts';
import { eventually } from '../server/src/testing/eventually.ts';

// Lighthouse with its dependencies is a quarter of what this product installs; only those who measure need to download it.
const LIGHTHOUSE = 'lighthouse@13.5.0';

/** The parts of Lighthouse's report that are used here; scores are from 0 to 1. */
const report = z.object({
  categories: z.record(z.string(), z.object({ score: z.number().nullable() })),
  environment: z.object({ benchmarkIndex: z.number() }),
  audits: z.record(
    z.string(),
    z.object({
      score: z.number().nullable(),
      title: z.string(),
      numericValue: z.number().optional(),
      // Some audits have an object here, which is not needed.
      details: z.object({ items: z.array(z.record(z.string(), z.unknown())).optional().catch(undefined) }).optional(),
    }),
  ),
});
export type Report = z.infer<typeof report>;

/** Starts a plain Chromium with its own profile; returns its address for tools, and how to audit a page and to end it. */
export async function startBrowser() {
  const executable = findOrInstallChromium();
  if (executable === undefined) throw new Error(CHROMIUM_ADVICE);
  const profile = mkdtempSync(join(tmpdir(), 'atelier-lighthouse-'));
  const args = [
    '--headless=new',
    '--no-sandbox',
    '--disable-gpu',
    '--no-first-run',
    '--disable-extensions',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--password-store=basic',
    '--remote-debugging-port=0',
    `--user-data-dir=${profile}`,
    'about:blank',
  ];
  const child = spawn(executable, args, { stdio: 'ignore' });
  const ended = new Promise((done) => child.once('exit', done));
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
          return report.parse(JSON.parse(stdout));
        } catch (error) {
          if (tries === 3) throw error;
        }
      }
    },
    async stop() {
      child.kill('SIGTERM');
      await ended;
      rmSync(profile, { recursive: true, force: true });
    },
  };
}
