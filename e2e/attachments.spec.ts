import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { unzipSync } from 'fflate';
import { effort } from '../server/src/testing/effort.ts';
import { type FakeOpenAI, startFakeOpenAI } from '../server/src/testing/fake-openai.ts';
import { pictureOf } from '../server/src/testing/pictures.ts';
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './journey.ts';
import { type Server, type SharedServer, startServer } from './server.ts';
import { exchanges, openConversation, send } from './workshop.ts';

const MANY = effort(30, 200);
let folder: string;
let provider: FakeOpenAI;
let seeing: Server;
// One worker for the whole file, so that this server starts once.
test.describe.configure({ mode: 'default' });
test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'atelier-attachments-'));
  provider = await startFakeOpenAI({ text: 'A kiln with its door open.' });
  const path = join(folder, 'models.json');
  const it = { baseURL: provider.url, models: { eyes: { sight: true, contextTokens: 32_000 } }, onlyThese: true };
  writeFileSync(path, JSON.stringify({ providers: { it }, standIn: 'eyes' }));
  seeing = await startServer({ MODELS_FILE: path });
});
test.afterAll(async () => {
  await seeing.stop();
  await provider.close();
  rmSync(folder, { recursive: true, force: true });
});

const begin = (page: Page, server: SharedServer) =>
  openConversation(page, { agent: 'Looker', prompt: 'You look', at: server.url, pro: server });

const field = (page: Page) => page.getByRole('textbox', { name: 'Message' });
const tray = (page: Page) => page.getByRole('list', { name: 'Attachments' });
const png = (name: string, width = 320, height = 200) => ({
  name,
  mimeType: 'image/png',
  buffer: pictureOf('png', width, height),
});
const attach = (page: Page, files: { name: string; mimeType: string; buffer: Buffer }[]) =>
  page.getByLabel('Files to attach').setInputFiles(files);

/** Puts a picture into the clipboard as another program would, and pastes it by keyboard. */
async function paste(page: Page): Promise<void> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const base64 = pictureOf('png', 320, 200).toString('base64');
  await page.evaluate(`(async () => {
    const bytes = Uint8Array.from(atob('${base64}'), (letter) => letter.charCodeAt(0));
    const picture = new Blob([bytes], { type: 'image/png' });
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': picture })]);
  })()`);
  await field(page).focus();
  await page.keyboard.press('ControlOrMeta+v');
}

/** Drags a picture over the sidebar and drops it there. */
async function drop(page: Page, name: string): Promise<void> {
  const base64 = pictureOf('png', 320, 200).toString('base64');
  const dataTransfer = await page.evaluateHandle(`{
    const dropped = new DataTransfer();
    const bytes = Uint8Array.from(atob('${base64}'), (letter) => letter.charCodeAt(0));
    dropped.items.add(new File([bytes], '${name}', { type: 'image/png' }));
    dropped;
  }`);
  const place = page.getByRole('complementary', { name: 'Sidebar' });
  await place.dispatchEvent('dragover', { dataTransfer });
  await expect(page.getByText('Drop files to attach them')).toBeVisible();
  await place.dispatchEvent('drop', { dataTransfer });
  await expect(page.getByText('Drop files to attach them')).toBeHidden();
}

/** The names of what the account's archive has of attachments. */
async function archived(page: Page): Promise<string[]> {
  const answer = await page.request.get(`${new URL(page.url()).origin}/api/export`);
  const names = Object.keys(unzipSync(new Uint8Array(await answer.body())));
  return names.filter((name) => name.startsWith('attachments/'));
}

interface Sent {
  type: string;
  text?: string;
  image_url?: { url: string };
}
const lastContent = () =>
  provider.requests.findLast(({ isAnswer }) => isAnswer)?.body.messages?.at(-1)?.content as Sent[];

test('a pasted picture reaches the model, is archived, and goes with its session', async ({ page }) => {
  await begin(page, seeing);
  await paste(page);
  await expect(tray(page).getByRole('listitem')).toHaveCount(1);
  await attach(page, [
    png('field.png', ...effort<[number, number]>([2_400, 1_500], [8_000, 5_000])),
    { name: 'prices.csv', mimeType: 'text/csv', buffer: Buffer.from('Work,Price\nRoof repair,420\n') },
  ]);
  await expect(tray(page).getByRole('listitem')).toHaveCount(3);
  await expect(tray(page).getByRole('progressbar')).toHaveCount(0);
  await expect(page.getByText('can’t see pictures')).toBeHidden();
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  // What is attached survives a reload, as the words do.
  await field(page).fill('What is this?');
  await page.reload();
  await expect(tray(page).getByRole('listitem')).toHaveCount(3);
  await expect(field(page)).toHaveValue('What is this?');
  await page.getByRole('button', { name: 'Send' }).click();
  const exchange = exchanges(page).last();
  await expect(exchange).toContainText('A kiln with its door open.');
  await expect(tray(page)).toBeHidden();
  const [words, ...pictures] = lastContent();
  expect(words?.text).toContain('What is this?');
  expect(words?.text).toContain('Roof repair');
  expect(pictures.map(({ type }) => type)).toEqual(['image_url', 'image_url']);
  // It was made smaller before it was sent, at night from 40 megapixels.
  const large = Buffer.from(pictures[1]?.image_url?.url.split(',')[1] ?? '', 'base64');
  expect([large.readUInt32BE(16), large.readUInt32BE(20)]).toEqual([2_048, 1_280]);

  const attached = exchange.getByRole('list', { name: 'Attached' });
  await expect(attached.getByRole('listitem')).toHaveCount(3);
  await attached.getByRole('button', { name: 'Open field.png' }).click();
  const viewer = page.getByRole('dialog', { name: 'field.png' });
  await expect(viewer.getByRole('img', { name: 'field.png' })).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.keyboard.press('Escape');
  await expect(attached.getByRole('button', { name: 'Open field.png' })).toBeFocused();
  expect(await archived(page)).toHaveLength(3);
  const id = new URL(page.url()).searchParams.get('sessionId');
  const { origin } = new URL(page.url());
  expect((await page.request.delete(`${origin}/api/sessions/${id}`, { headers: { origin } })).status()).toBe(204);
  await expect.poll(() => archived(page), { intervals: [2_000] }).toEqual([]);
});

test('what can’t be attached says why, and nothing that was typed is lost', async ({ page, server, complaints }) => {
  complaints.expectConsole(/415/u);
  await begin(page, server);
  // Files need a session: the first one makes it, and the words go with it.
  await page.goto('/runtime');
  await field(page).fill('Look at these.');
  await attach(page, [
    { name: 'page.png', mimeType: 'image/png', buffer: Buffer.from('<html><script>alert(1)</script></html>') },
    { name: 'broken.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4 nothing') },
    { name: 'tool.exe', mimeType: 'application/octet-stream', buffer: Buffer.from('MZ') },
  ]);
  await expect(page).toHaveURL(/sessionId=/u);
  await expect(tray(page).getByText('This picture can’t be opened.')).toBeVisible();
  await expect(tray(page).getByText('This kind of file can’t be read.')).toBeVisible();
  await expect(tray(page).getByRole('alert')).toHaveCount(3);
  await expect(page.getByRole('button', { name: 'Send' })).toBeDisabled();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  for (const name of ['page.png', 'broken.pdf', 'tool.exe']) {
    await page.getByRole('button', { name: `Remove ${name}` }).focus();
    await page.keyboard.press('Enter');
    await expect(field(page)).toBeFocused();
  }
  await attach(
    page,
    Array.from({ length: MANY }, (_, at) => png(`${at}.png`, 8, 8)),
  );
  const leftOut = `A message can have at most 10 attachments. ${MANY - 10} were left out.`;
  await expect(page.getByText(leftOut)).toBeVisible();
  await expect(tray(page).getByRole('listitem')).toHaveCount(10);
  await expect(field(page)).toHaveValue('Look at these.');
  await expect(tray(page).getByRole('progressbar')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Send' })).toBeEnabled();
});

test('the offline model says before and after that it can’t see', async ({ page, server }) => {
  await begin(page, server);
  await attach(page, [
    png('kiln.png'),
    { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('The kiln was built by Ingeborg in 1987.') },
  ]);
  await expect(page.getByText('The built-in offline model can’t see pictures.')).toBeVisible();
  await expect(tray(page).getByRole('progressbar')).toHaveCount(0);
  await send(page, 'Who built the kiln?');
  const exchange = exchanges(page).last();
  await expect(exchange).toContainText('I got “kiln.png”, but I can’t see pictures');
  await expect(exchange).toContainText('From the file “notes.txt”: “The kiln was built by Ingeborg in 1987.”');
});

test('a picture alone is sent, and one that waits for the answer goes along with its words', {
  tag: ['@night', '@desk'],
}, async ({ page }) => {
  await begin(page, seeing);
  await attach(page, [png('kiln.png')]);
  await expect(tray(page).getByRole('progressbar')).toHaveCount(0);
  provider.behave({ text: 'word '.repeat(40), deltas: 40, heldAfter: [10] });
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(exchanges(page).last()).toContainText('Look at kiln.png.');
  await expect(exchanges(page).last()).toContainText('word word');
  await drop(page, 'glaze.png');
  await expect(tray(page)).toContainText('glaze.png');
  await expect(tray(page).getByRole('progressbar')).toHaveCount(0);
  await field(page).fill('And this?');
  await page.getByRole('button', { name: 'Queue' }).click();
  const waiting = page.getByRole('region', { name: 'Waiting messages' });
  await expect(waiting.getByRole('list', { name: 'Attached' })).toHaveText('glaze.png');
  await expect(tray(page)).toBeHidden();
  await expect(field(page)).toHaveValue('');
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  provider.behave({ text: 'A glaze of celadon.', heldAfter: [] });
  provider.release();
  await expect(exchanges(page).last()).toContainText('A glaze of celadon.');
  await expect(exchanges(page).last().getByRole('button', { name: 'Open glaze.png' })).toBeVisible();
  await expect(waiting).toBeHidden();
  const [words, ...pictures] = lastContent();
  expect(words?.text).toContain('And this?');
  expect(pictures.map(({ type }) => type)).toContain('image_url');
  provider.reset();

  // Without a session, what is dropped begins one.
  await page.goto(`${seeing.url}/runtime`);
  await expect(page.getByRole('button', { name: 'Agent: Looker' })).toBeVisible();
  await drop(page, 'vase.png');
  await expect(page).toHaveURL(/sessionId=/u);
  await expect(tray(page)).toContainText('vase.png');
  await expect(tray(page).getByRole('progressbar')).toHaveCount(0);
});

test('a free account is told what attachments need', async ({ page }) => {
  await openConversation(page, { agent: 'Looker', prompt: 'You look' });
  await page.getByRole('button', { name: 'Attach pictures or files' }).click();
  await expect(page.getByText('Pro Feature: This section is only available to Pro users.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Upgrade to Pro' })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await paste(page);
  await expect(page.getByRole('alert').getByText('Pro Feature')).toBeVisible();
});
