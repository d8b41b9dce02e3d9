import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Page } from '@playwright/test';
import { shareOf } from '../server/src/testing/effort.ts';
import { expect, test } from './journey.ts';
import { ORDINARY } from './ordinary-pages.ts';

const thirdOf = shareOf(3);

/** Opens the frame of previews by itself, and puts a page into it as a preview or, for comparison, as it is. Ends once that page has loaded. */
async function open(page: Page, html: string, how: 'preview' | 'as it is'): Promise<void> {
  await page.goto('/frames/preview.html');
  const given = JSON.stringify(html);
  const show =
    how === 'preview'
      ? `postMessage({ html: ${given} }, '*')`
      : `document.body.replaceChildren(Object.assign(document.createElement('iframe'), { sandbox: '', srcdoc: ${given} }))`;
  // The event of the page's frame doesn't bubble.
  const loaded = `document.body.addEventListener('load', loaded, { capture: true, once: true })`;
  await page.evaluate(`new Promise((loaded) => { ${loaded}; ${show}; })`);
}

const look = (page: Page) => page.screenshot({ animations: 'disabled', caret: 'hide' });

/**
 * What is shown, once it is more than an empty page and nothing of it changes any more: a page inside of another is painted by a process of
 * its own, after it has loaded, and players show even later that there is nothing to play.
 */
async function settled(page: Page, empty: Buffer): Promise<Buffer> {
  let [before, now] = [empty, await look(page)];
  while (now.equals(empty) || !now.equals(before)) [before, now] = [now, await look(page)];
  return now;
}

test('ordinary pages look the same in a preview', { tag: '@night' }, async ({ page, complaints }, info) => {
  // What they load from elsewhere is refused, as it should be.
  complaints.expectConsole(/Content Security Policy|Blocked script execution|to another host|net::ERR_/u);
  await open(page, '', 'as it is');
  const empty = await look(page);
  const picture = info.snapshotPath('as-it-is.png');
  mkdirSync(dirname(picture), { recursive: true });
  for (const [name, html] of thirdOf(Object.entries(ORDINARY))) {
    await test.step(name, async () => {
      await open(page, html, 'as it is');
      writeFileSync(picture, await settled(page, empty));
      await open(page, html, 'preview');
      // Chromium draws the icon of a time field in one of two ways, a few shades apart.
      await expect.soft(page, name).toHaveScreenshot('as-it-is.png', { threshold: 0.1 });
    });
  }
});

test('a frame from elsewhere keeps its place, empty', async ({ page }) => {
  const html = '<iframe width="120" height="40" src="https://x.example/">No</iframe><p>After</p>';
  await open(page, html, 'preview');
  const frame = page.locator('iframe').contentFrame().locator('iframe');
  expect(await frame.boundingBox()).toMatchObject({ width: 124, height: 44 });
  expect(await frame.evaluate((element) => element.getAttributeNames())).toEqual(['width', 'height']);
});
