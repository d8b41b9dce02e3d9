import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { pdfOf } from '../server/src/testing/documents.ts';
import { listen } from '../server/src/testing/listen.ts';
import { program, serversFile } from '../server/src/testing/mcp/programs.ts';
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './journey.ts';
import { startServer } from './server.ts';
import {
  ask,
  closeToast,
  composer,
  exchanges,
  keepNotices,
  openConversation,
  send,
  sidebar,
  signUpPro,
  startSession,
} from './workshop.ts';

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Edit Agent' });

test('a tool is found, attached, used and looked into; a starter begins the talk', async ({ page, server }) => {
  await signUpPro(page, server);
  await page.getByRole('button', { name: 'Create Agent' }).first().click();
  const form = page.getByRole('dialog', { name: 'Create Agent' });
  await expect(form.getByLabel('Prompt')).toBeFocused();
  await page.keyboard.type('You calculate');
  await form.getByLabel('Name').fill('Abacus');
  await form.getByText('More settings').click();
  await form.getByRole('button', { name: 'Add a starter' }).click();
  await form.getByRole('textbox', { name: 'Starter 1' }).fill('What is 12 * (3 + 4)?');
  await form.getByLabel('Search tools').fill('sums arithmetic');
  await expect(form.getByRole('button', { name: 'Create Agent' })).toBeInViewport();
  await expect(form.getByText('No tool matches')).toBeVisible();
  await form.getByLabel('Search tools').fill('arithmetic');
  await form.getByRole('checkbox', { name: 'calculator' }).check();
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  await form.getByRole('button', { name: 'Create Agent' }).click();
  await expect(form).toBeHidden();
  await closeToast(page, 'Agent created!');

  await startSession(page, 'Abacus');
  await composer(page).fill('Half a thought');
  await page.getByRole('button', { name: 'What is 12 * (3 + 4)?' }).click();
  const exchange = exchanges(page).last();
  await expect(exchange.getByRole('button', { name: 'Copy answer' })).toBeVisible();
  await expect(exchange).toContainText('84');
  await expect(composer(page)).toHaveValue('Half a thought');
  const line = exchange.getByRole('list', { name: 'Tools used' }).getByRole('listitem');
  await expect(line).toContainText('Calculator');
  await line.locator('summary').click();
  await expect(line.getByText('"value": 84')).toBeVisible();
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  await page.reload();
  await expect(exchanges(page).last().getByRole('list', { name: 'Tools used' })).toContainText('Calculator');
});

test('a file is added, cited at its place, deleted and brought back', async ({ page, server }) => {
  await openConversation(page, { agent: 'Reader', prompt: 'You read', pro: server });
  await page.getByRole('button', { name: 'Edit Agent' }).click();
  const files = dialog(page).getByRole('region', { name: 'Files' });
  await expect(files).toContainText('No files yet.');
  const pages = [
    'Contents of the harbour book',
    'The harbour opens at six.',
    'The lighthouse keeper is called Ingeborg.',
  ];
  await files
    .getByLabel('Add files')
    .setInputFiles([{ name: 'harbour.pdf', mimeType: 'application/pdf', buffer: pdfOf(pages) }]);
  const dropped = `const dropped = new DataTransfer(); dropped.items.add(new File(['MZ'], 'tool.exe')); dropped`;
  const dataTransfer = await page.evaluateHandle(dropped);
  await files.getByText('or drop them here').dispatchEvent('drop', { dataTransfer });
  await expect(files.getByText('This kind of file can’t be read.')).toBeVisible();
  await files.getByRole('button', { name: 'Dismiss tool.exe' }).click();
  await expect(files.getByText('Ready')).toBeVisible();
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  const download = page.waitForEvent('download');
  await files.getByRole('link', { name: 'Download harbour.pdf' }).click();
  expect((await download).suggestedFilename()).toBe('harbour.pdf');
  await dialog(page).getByRole('button', { name: 'Close' }).click();

  const answer = await ask(page, 'Who is the lighthouse keeper?');
  await expect(answer).toContainText('Ingeborg');
  await answer.getByRole('button', { name: 'harbour.pdf, page 3' }).click();
  const viewer = page.getByRole('dialog', { name: 'harbour.pdf' });
  await expect(viewer.locator('[aria-current=true]')).toContainText('The lighthouse keeper is called Ingeborg.');
  await expectAccessible(page);
  await viewer.getByRole('button', { name: 'Close' }).click();

  // A found file leads to its agent in the library, also from there.
  const place = page.url();
  for (const path of ['/explore', '/library']) {
    await page.goto(path);
    await (await sidebar(page)).getByRole('button', { name: /^Search/u }).click();
    await page.getByPlaceholder(/^Search sessions/u).fill('harbour');
    await page.getByRole('group', { name: 'Files' }).getByRole('option').first().click();
    await expect(page.getByRole('region', { name: 'Edit “Reader”' }).getByLabel('Prompt')).toHaveValue('You read');
  }
  await page.goto(place);
  await page.getByRole('button', { name: 'Edit Agent' }).click();
  // Undo is pressed before the deletion gets to the server.
  await keepNotices(page);
  const pressed = Promise.withResolvers<void>();
  await page.route('**/files/*', async (route) => {
    if (route.request().method() === 'DELETE') await pressed.promise;
    await route.continue();
  });
  const deleted = page.waitForResponse((response) => response.request().method() === 'DELETE');
  const restored = page.waitForResponse(/\/restore$/u);
  await files.getByRole('button', { name: 'Delete harbour.pdf' }).click();
  await expect(files).toContainText('No files yet.');
  await files.getByRole('button', { name: 'Undo' }).click();
  pressed.resolve();
  await Promise.all([deleted, restored]);
  await page.reload();
  await page.getByRole('button', { name: 'Edit Agent' }).click();
  await expect(files.getByRole('button', { name: 'Delete harbour.pdf' })).toBeVisible();
});

test('a spreadsheet and a scan answer questions; what is wrong with a file is said', { tag: '@night' }, async ({
  page,
  server,
}) => {
  await openConversation(page, { agent: 'Roofer', prompt: 'You read', pro: server });
  await page.getByRole('button', { name: 'Edit Agent' }).click();
  const files = dialog(page).getByRole('region', { name: 'Files' });
  const made = (name: string) => join(import.meta.dirname, '../server/src/testing/documents-of-others', name);
  await files
    .getByLabel('Add files')
    .setInputFiles(['libreoffice.xlsx', 'reportlab-scan.pdf', 'qpdf-encrypted.pdf'].map(made));
  await expect(files.getByText('Ready')).toHaveCount(2);
  await expect(files.getByText('This PDF is protected by a password.')).toBeVisible();
  await expect(files.getByText('Page 1 is a picture of text; recognized words may be wrong.')).toBeVisible();
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  await dialog(page).getByRole('button', { name: 'Close' }).click();

  const answer = await ask(page, 'When do you close on Friday?');
  await expect(answer).toContainText('Closes: 15:30');
  await answer.getByRole('button', { name: 'libreoffice.xlsx, sheet “Opening hours”, rows 1–5' }).click();
  const viewer = page.getByRole('dialog', { name: 'libreoffice.xlsx' });
  await expect(viewer.locator('[aria-current=true]')).toContainText('Day: Friday; Opens: 08:00; Closes: 15:30');
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
});

test('a tool that writes asks before it does', { tag: '@night' }, async ({ page }) => {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-journey-mcp-'));
  const server = await startServer(serversFile(folder, { disk: program('filesystem', folder) }));
  try {
    await signUpPro(page, server);
    await page.getByRole('button', { name: 'Create Agent' }).first().click();
    const form = page.getByRole('dialog', { name: 'Create Agent' });
    await form.getByLabel('Name').fill('Scribe');
    await form.getByLabel('Prompt').fill('You write');
    await form.getByLabel('Search tools').fill('write file');
    await form.getByRole('checkbox', { name: 'disk__write_file' }).check();
    await form.getByRole('button', { name: 'Create Agent' }).click();
    await startSession(page, 'Scribe');
    const write = (name: string) =>
      `Use write_file with ${JSON.stringify({ path: join(folder, name), content: 'ahoy' })}`;
    await send(page, write('denied.txt'));
    await expect(page.getByRole('group', { name: /May “disk__write_file” run/u })).toBeVisible();
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Deny' }).click();
    await expect(exchanges(page).last()).toContainText('did not allow');
    await expect(exchanges(page).last().getByRole('button', { name: 'Copy answer' })).toBeVisible();
    await send(page, write('allowed.txt'));
    await page.getByRole('button', { name: 'Allow once' }).click();
    await expect(exchanges(page).last().getByRole('button', { name: 'Copy answer' })).toBeVisible();
    expect(readFileSync(join(folder, 'allowed.txt'), 'utf8')).toBe('ahoy');
    expect(() => readFileSync(join(folder, 'denied.txt'))).toThrow();
  } finally {
    // A page that is still open would ask on, and complain.
    await page.goto('about:blank');
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});

test('what would leave is shown whole before it does: an address to fetch, and a link of an answer', async ({
  page,
  provided: { server, provider },
}) => {
  const seen: string[] = [];
  const sink = createServer((request, response) => {
    seen.push(request.url ?? '');
    response.writeHead(200, { 'content-type': 'text/html' }).end('<link rel="icon" href="data:,"><p>Taken.');
  });
  const { origin: site, close } = await listen(sink);
  try {
    await openConversation(page, { agent: 'Courier', prompt: 'You carry', at: server.url, pro: server });
    await page.getByRole('button', { name: 'Edit Agent' }).click();
    await dialog(page).getByRole('checkbox', { name: 'Fetch a web page' }).check();
    await dialog(page).getByRole('button', { name: 'Save Agent' }).click();
    await expect(dialog(page)).toBeHidden();
    const address = `${site}/?q=${'a-secret-'.repeat(20)}`;
    provider.behave({
      toolCalls: [{ name: 'web_fetch', arguments: JSON.stringify({ url: address }) }],
      text: `I could not. See [the tides](${site}/tides?me=a-secret) ![map](${site}/pixel?me=a-secret)`,
    });
    await send(page, 'What do you know of me?');
    const question = page.getByRole('group', { name: 'May “Fetch a web page” run?' });
    await expect(question).toContainText(address);
    await expect(question).toContainText('Your message does not name this address.');
    await expect(question).toContainText(`follow links on pages of ${new URL(site).host}`);
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    await question.getByRole('button', { name: 'Deny' }).click();
    const answer = exchanges(page).last();
    await expect(answer.getByRole('button', { name: 'Copy answer' })).toBeVisible();

    const confirm = page.getByRole('alertdialog', { name: 'Open this address?' });
    await answer.getByRole('link', { name: 'the tides' }).click();
    await expect(confirm).toContainText(`${site}/tides?me=a-secret`);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(answer.getByRole('link', { name: 'the tides' })).toBeFocused();
    await answer.getByRole('link', { name: 'map' }).click({ modifiers: ['ControlOrMeta'] });
    await confirm.getByRole('button', { name: 'Cancel' }).click();
    expect(seen).toEqual([]);
    await expect(answer.getByRole('link', { name: 'map' })).toBeFocused();
    await page.keyboard.press('Enter');
    // What opens knows nothing of this page, so it is no popup of it.
    const [opened] = await Promise.all([
      page.context().waitForEvent('page'),
      confirm.getByRole('button', { name: 'Open' }).click(),
    ]);
    await expect(opened.getByText('Taken.')).toBeVisible();
    expect(seen).toEqual(['/pixel?me=a-secret']);
  } finally {
    await page.goto('about:blank');
    provider.reset();
    await close();
  }
});
