import type { Page } from '@playwright/test';
import { expect, test } from './journey.ts';
import { ORDINARY } from './ordinary-pages.ts';

/** Opens the frame of previews by itself, and puts a page into it as a preview or, for comparison, as it is. */
async function show(page: Page, html: string, how: 'preview' | 'as it is'): Promise<Buffer> {
  await page.goto('/frames/preview.html');
  await page.evaluate(
    how === 'preview'
      ? `postMessage({ html: ${JSON.stringify(html)} }, '*')`
      : `document.body.replaceChildren(Object.assign(document.createElement('iframe'), { sandbox: '', srcdoc: ${JSON.stringify(html)} }))`,
  );
  await expect(page.locator('iframe')).toBeVisible();
  await page.frames()[1]?.waitForLoadState();
  return settled(page);
}

/** The page once nothing of it changes any more: players show later than their page that there is nothing to play. */
async function settled(page: Page): Promise<Buffer> {
  const look = () => page.screenshot({ animations: 'disabled', caret: 'hide' });
  let [before, now] = [await look(), await look()];
  while (!now.equals(before)) [before, now] = [now, await look()];
  return now;
}

for (const [name, html] of Object.entries(ORDINARY)) {
  test(`${name} looks the same in a preview`, async ({ page, complaints }) => {
    // What it loads from elsewhere is refused, as it should be.
    complaints.expectConsole(/Content Security Policy|Blocked script execution|to another host|net::ERR_/u);
    const asItIs = await show(page, html, 'as it is');
    const preview = await show(page, html, 'preview');
    expect(asItIs.equals(await show(page, '', 'as it is'))).toBe(false);
    expect(preview.equals(asItIs)).toBe(true);
  });
}

test('a frame from elsewhere keeps its place, empty', async ({ page }) => {
  const html = '<iframe width="120" height="40" src="https://x.example/">No</iframe><p>After</p>';
  await show(page, html, 'preview');
  const frame = page.locator('iframe').contentFrame().locator('iframe');
  expect(await frame.boundingBox()).toMatchObject({ width: 124, height: 44 });
  expect(await frame.evaluate((element) => element.getAttributeNames())).toEqual(['width', 'height']);
});
