import { createServer } from 'node:net';
import type { Page } from '@playwright/test';
import { HOSTILE } from './hostile-answers.ts';
import { expect, expectNoSidewaysScroll, test } from './journey.ts';
import { ask, openConversation } from './workshop.ts';

/** How a browser reports what a policy or a sandbox refused; that is what should happen, so it is no fault. */
const REFUSED =
  /Content Security Policy|Blocked script execution|sandboxed|Blocked form submission|Unsafe attempt|violates the following|ERR_BLOCKED_BY_CSP|attachShadow|^a request to another host: http:\/\/evil\.example\//iu;

/** Stands for the host that every entry would like to reach: counts every connection. */
const attacked = test.extend<object, { evil: { port: number; connections: () => number } }>({
  evil: [
    async ({}, use) => {
      let connected = 0;
      const server = createServer((socket) => {
        connected += 1;
        socket.destroy();
      });
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      await use({ port, connections: () => connected });
      server.close();
    },
    { scope: 'worker' },
  ],
  launchOptions: [
    async ({ evil, launchOptions }, use) => {
      const rule = `--host-resolver-rules=MAP evil.example 127.0.0.1:${evil.port}`;
      await use({ ...launchOptions, args: [...(launchOptions.args ?? []), rule] });
    },
    { scope: 'worker' },
  ],
});

/** Notes what must not happen, in the page and in all of its frames. */
function watch(page: Page) {
  const seen: string[] = [];
  // A request that a policy refused is named too; only an answer proves that it left. `evil` counts connections besides.
  page.context().on('response', (response) => {
    if (response.url().includes('evil.example')) seen.push(`answer from ${response.url()}`);
  });
  page.on('dialog', (dialog) => {
    seen.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.context().on('page', (opened) => seen.push(`window ${opened.url()}`));
  page.on('framenavigated', (frame) => {
    if (frame.url().includes('evil.example')) seen.push(`went to ${frame.url()}`);
  });
  return seen;
}

/** Asks for an answer, and opens every preview in it. */
async function readAnswer(page: Page, question: string): Promise<void> {
  const answer = await ask(page, question);
  await expect(async () => {
    // Those further down are drawn when they come near.
    const waiting = answer.getByText('Drawing the diagram…');
    if ((await waiting.count()) > 0) await waiting.first().scrollIntoViewIfNeeded({ timeout: 1000 });
    await expect(waiting).toHaveCount(0, { timeout: 1000 });
  }).toPass({ timeout: 120_000 });
  const closed = answer.getByRole('button', { name: 'Show preview' });
  for (let left = await closed.count(); left > 0; left -= 1) await closed.first().click();
  for (const inner of await answer.locator('iframe[title="Preview"]').all()) {
    await expect(inner.contentFrame().locator('iframe')).toBeVisible();
  }
}

attacked('hostile answers run nothing and load nothing', async ({ page, complaints, provided, evil }) => {
  attacked.slow();
  complaints.expectConsole(REFUSED);
  const { server, provider } = provided;
  await openConversation(page, { agent: 'Mallory', prompt: 'You attack', at: server.url });
  const seen = watch(page);
  const address = page.url();
  for (const [kind, entries] of Object.entries(HOSTILE)) {
    await attacked.step(kind, async () => {
      provider.behave({ text: entries.join('\n\nNext one:\n\n'), deltas: 20 });
      await readAnswer(page, `Attack with ${kind}`);
      expect(seen).toEqual([]);
    });
  }
  // Long enough for anything that acts by itself.
  await page.waitForTimeout(2000);
  expect(seen).toEqual([]);
  expect(evil.connections()).toBe(0);
  expect(page.url()).toBe(address);
  const inPage = 'script[src*="evil"], [onerror], [onload], a[href^="javascript:" i], img[src^="http"]';
  await expect(page.locator('[role="log"]').locator(inPage)).toHaveCount(0);
  await expectNoSidewaysScroll(page);
});

attacked('there are sixty of them at least', () => {
  expect(Object.values(HOSTILE).flat().length).toBeGreaterThanOrEqual(60);
});
