import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { type BrowserContextOptions, chromium, expect, type Locator, type Page } from '@playwright/test';
import { type Server, startServer } from '../e2e/server.ts';
import { createAgent, exchanges, signUp, tellAgent } from '../e2e/workshop.ts';
import { needChromium } from './chromium.ts';

/**
 * Takes the start page's pictures from the running product, light and dark: an answer of the built-in model with the memory it used, wide
 * and on a phone; three things that only a memory in the open allows; the picture for link previews and that of the README. Run it again
 * when these pages look different: `npm run pictures`.
 */
const root = join(import.meta.dirname, '..');
const pictures = join(root, 'web', 'app', 'pictures');

const SCHEMES = ['light', 'dark'] as const;
const DESK = { viewport: { width: 640, height: 600 }, deviceScaleFactor: 1.75 };
const PHONE = { viewport: { width: 390, height: 760 }, deviceScaleFactor: 2, hasTouch: true };
/** Three of them stand in a row: the upper part of something on a phone. */
const CARD = { viewport: { width: 420, height: 800 }, deviceScaleFactor: 1.75 };
const CARD_HEIGHT = 380;

/** The address in the picture of a call, in the place of a port of this machine. */
const HOST = 'atelier.example';

/** `NodeFilter.SHOW_TEXT`. */
const SHOW_TEXT = 4;

/** Where the lines of text, buttons and icons of an element begin and end. */
const edgesIn = (element: Locator) =>
  element.evaluate((root, textNodes) => {
    const boxes = [...root.querySelectorAll('button, a, svg')].map((one) => one.getBoundingClientRect());
    const page = root.ownerDocument;
    const texts = page.createTreeWalker(root, textNodes);
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
      const range = page.createRange();
      range.selectNodeContents(text);
      boxes.push(...range.getClientRects());
    }
    return boxes.filter(({ width }) => width > 1).map(({ top, bottom }) => ({ top, bottom }));
  }, SHOW_TEXT);
type Edges = Awaited<ReturnType<typeof edgesIn>>;
/** Whether one of them lies across a height. */
const cuts = (edges: Edges, at: number) => edges.some(({ top, bottom }) => top < at && bottom > at);

/** The place nearest to the top of an element where a card cuts nothing above or below. */
async function cardTop(page: Page, element: Locator): Promise<number> {
  const edges = await edgesIn(page.locator('body'));
  const top = Math.round((await element.boundingBox())?.y ?? 0);
  const near = Array.from({ length: 160 }, (_, i) => top + (i % 2 === 0 ? i / 2 : -(i + 1) / 2));
  return near.find((y) => y >= 0 && !cuts(edges, y) && !cuts(edges, y + CARD_HEIGHT)) ?? top;
}

/** Makes a box that scrolls so much lower that it cuts nothing below. */
async function lower(box: Locator): Promise<void> {
  const edges = await edgesIn(box);
  const { y, height } = (await box.boundingBox()) ?? { y: 0, height: 0 };
  const most = Array.from({ length: 120 }, (_, i) => height - i).find((one) => !cuts(edges, y + one));
  await box.evaluate((element, px) => element.style.setProperty('max-height', `${px}px`), most);
}

/** Every browser that the README names reads it; with text it takes two thirds of WebP. */
async function asAvif(png: Buffer): Promise<Buffer> {
  const image = await loadImage(png);
  const canvas = createCanvas(image.width, image.height);
  canvas.getContext('2d').drawImage(image, 0, 0);
  return canvas.encode('avif', { quality: 60, speed: 2 });
}

/** Somebody with two agents, what they told them, and a session that asks for it. */
async function furnish(page: Page, server: Server): Promise<string> {
  const person = { name: 'Ada Lovelace', email: 'ada@example.com', password: 'a long password' };
  await signUp(page, person, server.url);
  await server.admin('grant-pro', person.email, '--reason', 'pictures');
  await createAgent(page, 'Code Reviewer', 'You review code and remember the rules of the house.');
  await createAgent(page, 'Trip Planner', 'You help me plan trips with my family. Keep your answers short.');
  await tellAgent(page, 'code-reviewer', ['We name files in kebab-case.']);
  await tellAgent(page, 'trip-planner', [
    'My sister Nora is allergic to peanuts.',
    'I live in Porto.',
    'We fly to Lisbon on 14 May and come back on the 21st.',
  ]);
  await tellAgent(page, 'trip-planner', ['I moved to Faro last month.']);
  const session = await tellAgent(page, 'trip-planner', ['What is Nora allergic to?']);
  return `${server.url}/runtime?sessionId=${session}`;
}

const answer = (page: Page) => exchanges(page).last();

async function openAnswer(page: Page, address: string) {
  await page.goto(address);
  await expect(answer(page)).toContainText('peanuts');
  await expect(answer(page).getByRole('button', { name: 'Copy answer' })).toBeVisible();
}

async function openReceipt(page: Page, address: string) {
  await openAnswer(page, address);
  await answer(page)
    .getByRole('button', { name: /memor|from earlier/u })
    .click();
  const receipt = page.getByRole('dialog', { name: 'Context Retrieved' });
  await expect(receipt).toContainText('peanuts');
  await lower(receipt);
}

const server = await startServer({ ACCOUNT_BOUNDS: '1000' });
const browser = await chromium.launch({
  executablePath: needChromium(),
  args: ['--no-sandbox', '--disable-gpu', `--host-resolver-rules=MAP ${HOST} ${new URL(server.url).host}`],
});
try {
  const context = await browser.newContext();
  const address = await furnish(await context.newPage(), server);
  const storageState = await context.storageState();
  const open = async (options: BrowserContextOptions) =>
    (await browser.newContext({ ...options, storageState })).newPage();

  /** Opens a page, brings it to what is shown, and takes it in both schemes; a card from the top of what `arrange` returns. */
  async function take(name: string, options: BrowserContextOptions, arrange: (page: Page) => Promise<Locator | void>) {
    for (const colorScheme of SCHEMES) {
      const page = await open({ ...options, colorScheme });
      const part = await arrange(page);
      await page.evaluate('document.fonts.ready');
      const clip = part && { x: 0, y: await cardTop(page, part), width: CARD.viewport.width, height: CARD_HEIGHT };
      const png = await page.screenshot({ animations: 'disabled', ...(clip && { clip }) });
      writeFileSync(join(pictures, `${name}-${colorScheme}.avif`), await asAvif(png));
      await page.context().close();
    }
  }
  await take('runtime-desk', DESK, (page) => openReceipt(page, address));
  await take('runtime-phone', PHONE, (page) => openReceipt(page, address));
  await take('facts', CARD, async (page) => {
    await page.goto(`${server.url}/memory`);
    const facts = page.getByRole('region', { name: 'Facts', exact: true });
    await expect(facts).toContainText('Faro');
    await facts.evaluate((element) => element.scrollIntoView());
    return facts;
  });
  await take('code', CARD, async (page) => {
    const { cookies } = storageState;
    await page.context().addCookies(cookies.map((cookie) => ({ ...cookie, domain: HOST })));
    await page.goto(`http://${HOST}/library`);
    const item = page.getByRole('menuitem', { name: 'Use from code' });
    const dialog = page.getByRole('dialog', { name: 'Use this agent from code' });
    await page
      .getByRole('button', { name: /^(?:Use from code|More for)/u })
      .last()
      .click();
    await expect(item.or(dialog).first()).toBeVisible();
    if (await item.isVisible()) await item.click();
    await expect(dialog).toBeVisible();
    return dialog;
  });
  const wide = await open({ viewport: { width: 1280, height: 760 }, deviceScaleFactor: 1.5 });
  await openReceipt(wide, address);
  await wide.screenshot({ path: join(root, 'docs', 'screenshot.png'), animations: 'disabled' });
  const preview = await open({ viewport: { width: 1200, height: 630 } });
  await openReceipt(preview, address);
  await preview.screenshot({ path: join(root, 'web', 'public', 'preview.png'), animations: 'disabled' });

  // Last, because it adds an answer.
  const again = async (page: Page) => {
    await expect(answer(page)).toContainText('Asked again without one memory.');
    await expect(answer(page).getByRole('button', { name: 'Copy answer' })).toBeVisible();
  };
  const asking = await open(CARD);
  await openReceipt(asking, address);
  await asking.getByRole('button', { name: 'Ask again without this' }).first().click();
  await again(asking);
  await take('again', CARD, async (page) => {
    await page.goto(address);
    await again(page);
    return answer(page);
  });
} finally {
  await browser.close();
  await server.stop();
}
