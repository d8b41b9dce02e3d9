import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type FrameLocator, type Locator, type Page } from '@playwright/test';
import { isNightly } from '../server/src/testing/effort.ts';
import { listen } from '../server/src/testing/listen.ts';
import { CONNECTING } from './connecting-pages.ts';
import { HOSTILE } from './hostile-answers.ts';
import { expect, expectNoSidewaysScroll, test } from './journey.ts';
import { ask, openConversation } from './workshop.ts';

/** How a browser reports what a policy or a sandbox refused; that is what should happen, so it is no fault. */
const REFUSED =
  /Content Security Policy|Blocked script execution|sandboxed|Blocked form submission|Unsafe attempt|violates the following|ERR_BLOCKED_BY_CSP|attachShadow|^a request to another host: http:\/\/evil\.example\//iu;

/** A server that counts who connects. */
async function countConnections() {
  const connected: string[] = [];
  const server = createServer().on('connection', (socket) => {
    connected.push(`a connection from ${socket.remotePort}`);
    socket.destroy();
  });
  return { ...(await listen(server)), connected };
}

/** Stands for the host that every entry would like to reach: counts every connection. */
const attacked = test.extend<object, { evil: { port: number; connections: () => number } }>({
  evil: [
    async ({}, use) => {
      const { port, connected, close } = await countConnections();
      await use({ port, connections: () => connected.length });
      await close();
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
async function readAnswer(page: Page, question: string, previews: number): Promise<Locator> {
  const answer = await ask(page, question);
  await expect(async () => {
    // Those further down are drawn when they come near.
    const waiting = answer.getByText('Drawing the diagram…');
    if ((await waiting.count()) > 0) await waiting.first().scrollIntoViewIfNeeded({ timeout: 1000 });
    await expect(waiting).toHaveCount(0, { timeout: 1000 });
  }).toPass({ timeout: 120_000 });
  await openPreviews(answer, previews);
  return answer;
}

/** Opens the previews of an answer, and returns the frames inside, with the pages in them. */
async function openPreviews(answer: Locator, count: number): Promise<Locator[]> {
  const closed = answer.getByRole('button', { name: 'Show preview' });
  await expect(closed).toHaveCount(count);
  await closed.evaluateAll((buttons) => {
    for (const button of buttons) Reflect.apply(Reflect.get(button, 'click'), button, []);
  });
  const previews = answer.locator('iframe[title="Preview"]');
  // They load their part of the page first.
  await expect(previews).toHaveCount(count);
  const inner = (await previews.all()).map((outer) => outer.contentFrame().locator('iframe'));
  for (const frame of inner) {
    const shown = await (await frame.elementHandle())?.contentFrame();
    await expect.poll(() => shown?.url()).toBe('about:srcdoc');
    await shown?.waitForLoadState();
  }
  return inner;
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
      const previews = entries.filter((entry) => /^```(?:html|svg)\n/u.test(entry)).length;
      const answer = await readAnswer(page, `Attack with ${kind}`, previews);
      // What can be drawn at all is.
      if (kind === 'mermaid') await expect(answer.getByRole('img', { name: /^Diagram/u }).first()).toBeAttached();
      if (kind === 'tex') await expect(answer.locator('.katex').first()).toBeAttached();
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
  // The host would have counted a visitor.
  await page.goto('http://evil.example/').catch(() => undefined);
  expect(evil.connections()).toBeGreaterThan(0);
});

attacked('there are sixty of them at least', () => {
  expect(Object.values(HOSTILE).flat().length).toBeGreaterThanOrEqual(60);
});

const KINDS = Object.keys(CONNECTING);

/** Pages whose every host says by its name which page, of which kind, asked for it. */
const pages = (where: string, kinds: readonly string[]) =>
  kinds.map((kind) => pageOf(kind, `${where}-${KINDS.indexOf(kind)}.evil.test`));
/** By day each kind is tried in one of the two places. */
const half = (place: 0 | 1) => KINDS.filter((_, i) => isNightly || i % 2 === place);
const pageOf = (kind: string, host: string) => CONNECTING[kind]?.(`https://${host}`, host) ?? '';
/** These connect if nothing is taken out: without them the browser or its log would not show what the rest is about. */
const PROOF = ['iframe', 'link preconnect', 'link, pressed'];
/** These say how a connection begins that needs no name. */
const UNNAMED = ['iframe', 'object', 'frame', 'link preconnect', 'link, pressed'];

const fenced = (html: string) => `\`\`\`html\n${html}\n\`\`\``;

/** What a browser's own log of its network says was looked up, connected to or asked for, in plain words. */
function reached(log: string): string[] {
  const found = new Set([...readFileSync(log, 'utf8').matchAll(/(\w+)-(\d+)\.evil\.test/gu)].map(([name]) => name));
  return [...found].map((name) => {
    const [where = '', rest = ''] = name.split('-');
    return `${where}: ${KINDS[Number.parseInt(rest, 10)]}`;
  });
}

/** Presses everything in a frame that can be pressed; returns how much that was. */
async function pressAll(frame: FrameLocator): Promise<number> {
  let pressed = 0;
  for (const thing of await frame.locator('a, area, button, input, [href], img[usemap]').all()) {
    // Some of it is covered, which nobody can press.
    if (await thing.isVisible())
      await thing.click({ force: true, timeout: 15_000, noWaitAfter: true }).then(
        () => (pressed += 1),
        () => undefined,
      );
  }
  return pressed;
}

/** Presses what is in the previews of an answer. */
async function tryPreviews(answer: Locator, count: number): Promise<void> {
  let pressed = 0;
  for (const frame of await openPreviews(answer, count)) pressed += await pressAll(frame.contentFrame());
  expect(pressed).toBeGreaterThan(0);
}

/** The same pages in the same frame, as they came: what the sanitizer is for. */
async function openUnclean(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/frames/preview.html`);
  await page.evaluate(`Promise.all(${JSON.stringify(pages('unclean', PROOF))}.map((srcdoc) => new Promise((loaded) => {
    const inner = Object.assign(document.createElement('iframe'), { sandbox: '', srcdoc });
    inner.addEventListener('load', () => loaded(), { once: true });
    document.body.append(inner);
  })))`);
  for (const inner of await page.locator('iframe').all()) await pressAll(inner.contentFrame());
}

attacked(
  'no preview looks up a name or connects, in a conversation or on a shared page',
  async ({ provided: { server, provider }, launchOptions }) => {
    attacked.slow(isNightly, 'Each kind is in both places.');
    const folder = mkdtempSync(join(tmpdir(), 'atelier-net-log-'));
    const log = join(folder, 'net.json');
    const bystander = await countConnections();
    // A private window would not connect ahead; a person's has a profile.
    const context = await chromium.launchPersistentContext(join(folder, 'profile'), {
      ...launchOptions,
      args: [...(launchOptions.args ?? []), `--log-net-log=${log}`],
    });
    try {
      const page = context.pages()[0] ?? (await context.newPage());
      await openConversation(page, { agent: 'Mallory', prompt: 'You attack', at: server.url });
      const address = page.url();
      const unnamed = UNNAMED.map((kind) => pageOf(kind, `127.0.0.1:${bystander.port}`));
      const talk = [...pages('talk', half(0)), ...unnamed];
      provider.behave({ text: talk.map(fenced).join('\n\n'), deltas: 20 });
      await tryPreviews(await ask(page, 'Attack'), talk.length);
      expect(page.url()).toBe(address);
      expect(context.pages()).toHaveLength(1);

      const shared = pages('shared', half(1));
      provider.behave({ text: shared.map(fenced).join('\n\n'), deltas: 20 });
      await ask(page, 'Once more');
      await page.getByRole('button', { name: 'Share session' }).click();
      const dialog = page.getByRole('dialog', { name: 'Share this session' });
      await dialog.getByRole('button', { name: 'Create link' }).click();
      const link = await dialog.getByLabel('Your link').inputValue();
      await context.clearCookies();
      await page.goto(link);
      await tryPreviews(page.getByRole('article').last(), shared.length);
      expect(page.url()).toBe(link);
      expect(bystander.connected).toEqual([]);

      await openUnclean(page, server.url);
      // Long enough for anything that acts by itself.
      await page.waitForTimeout(2000);
    } finally {
      await context.close();
      await bystander.close();
      provider.reset();
    }
    const names = reached(log);
    rmSync(folder, { recursive: true, force: true });
    expect(names).toEqual(expect.arrayContaining(PROOF.map((kind) => `unclean: ${kind}`)));
    expect(names.filter((name) => !name.startsWith('unclean'))).toEqual([]);
  },
);
