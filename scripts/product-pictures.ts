import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, expect, type Page } from '@playwright/test';
import { startServer } from '../e2e/server.ts';
import { ask, closeSidebar, createAgent, signUp, startSession } from '../e2e/workshop.ts';
import { CHROMIUM_ADVICE, findChromium } from './chromium.ts';

/**
 * Takes the start page's pictures from the running product: a real answer of the built-in model with the memory it used, wide and on a
 * phone, light and dark; and from one of them the picture for link previews. Run it again when the runtime looks different: `npm run
 * pictures`.
 */
const executablePath = findChromium();
if (executablePath === undefined) throw new Error(CHROMIUM_ADVICE);
const pictures = join(import.meta.dirname, '..', 'web', 'app', 'pictures');
const open = join(import.meta.dirname, '..', 'web', 'public');

const SIZES = {
  desk: { viewport: { width: 1200, height: 750 }, deviceScaleFactor: 1.6 },
  phone: { viewport: { width: 390, height: 700 }, deviceScaleFactor: 2, hasTouch: true },
} as const;

/** The browser writes WebP, so no image library is needed. */
async function asWebp(browser: Browser, png: Buffer, quality: number): Promise<Buffer> {
  const page = await browser.newPage();
  const source = JSON.stringify(`data:image/png;base64,${png.toString('base64')}`);
  const encoded: string = await page.evaluate(`(async () => {
    const image = Object.assign(new Image(), { src: ${source} });
    await image.decode();
    const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height });
    canvas.getContext('2d').drawImage(image, 0, 0);
    return canvas.toDataURL('image/webp', ${quality});
  })()`);
  await page.close();
  return Buffer.from(encoded.slice(encoded.indexOf(',') + 1), 'base64');
}

async function furnish(page: Page, url: string) {
  const person = { name: 'Ada Lovelace', email: 'ada@example.com', password: 'a long password' };
  await signUp(page, person, url);
  await createAgent(page, 'Code Reviewer', 'You review code and remember the rules of the house.');
  await createAgent(page, 'Trip Planner', 'You help me plan trips with my family.');
  await startSession(page, 'Code Reviewer');
  await ask(page, 'We name files in kebab-case.');
  await startSession(page, 'Trip Planner');
  await ask(page, 'My sister Nora is allergic to peanuts.');
  await ask(page, 'We fly to Lisbon on 14 May and come back on the 21st.');
  await ask(page, 'What is Nora allergic to?');
  return person;
}

const server = await startServer({ OFFLINE_PAUSE_MS: '0', ACCOUNT_BOUNDS: '1000' });
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
try {
  const context = await browser.newContext({ ...SIZES.desk, colorScheme: 'light' });
  const first = await context.newPage();
  await furnish(first, server.url);
  const address = first.url();
  const state = await context.storageState();
  for (const [name, size] of Object.entries(SIZES)) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await (await browser.newContext({ ...size, colorScheme, storageState: state })).newPage();
      await page.goto(address);
      await page.getByRole('button', { name: 'Copy answer' }).last().waitFor();
      await expect(page.getByRole('log', { name: 'Conversation' }).getByRole('article').last()).toContainText(
        'peanuts',
      );
      await closeSidebar(page);
      await page.evaluate('document.fonts.ready');

      const png = await page.screenshot({ animations: 'disabled' });
      writeFileSync(join(pictures, `runtime-${name}-${colorScheme}.webp`), await asWebp(browser, png, 0.82));
    }
  }
  const preview = await browser.newPage({ viewport: { width: 1200, height: 630 }, storageState: state });
  await preview.goto(address);
  await preview.getByRole('button', { name: 'Copy answer' }).last().waitFor();
  await preview.screenshot({ path: join(open, 'preview.png'), animations: 'disabled' });
} finally {
  await browser.close();
  await server.stop();
}
