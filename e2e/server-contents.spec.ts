import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { program, serversFile } from '../server/src/testing/mcp/programs.ts';
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './journey.ts';
import { startServer } from './server.ts';
import { ask, composer, signUp, startSession } from './workshop.ts';

test('a prompt and a resource of a tool server are read and put into a message', { tag: '@night' }, async ({
  page,
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-journey-contents-'));
  const server = await startServer(serversFile(folder, { everything: program('everything', 'stdio') }));
  try {
    const person = await signUp(page, undefined, server.url);
    await server.admin('grant-pro', person.email, '--reason', 'journey');
    await expect(page.getByText(/^Free tier:/u)).toBeHidden();
    const data = { name: 'Reader', prompt: 'You read', tools: ['everything__*'] };
    const made = await page.request.post(`${server.url}/api/agents`, { headers: { origin: server.url }, data });
    expect(made.status()).toBe(201);
    await startSession(page, 'Reader');

    const attach = page.getByRole('button', { name: 'From a tool server…' });
    const dialog = page.getByRole('dialog', { name: 'From a tool server' });
    await composer(page).fill('What is this?');
    await attach.click();
    await dialog.getByRole('button', { name: /^(?:args-prompt|Arguments Prompt)/u }).click();
    await dialog.getByLabel('city', { exact: true }).fill('Faro');
    await page.keyboard.press('Escape');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Keep editing' }).click();
    await expect(dialog.getByLabel('city', { exact: true })).toBeFocused();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await dialog.getByRole('button', { name: 'Show the text' }).click();
    await expect(dialog.getByRole('group', { name: 'Text of the server' })).toContainText('Faro');
    await dialog.getByRole('button', { name: 'Put into the message' }).click();
    await expect(dialog).toBeHidden();
    await expect(composer(page)).toBeFocused();
    await expect(composer(page)).toHaveValue(
      /^What is this\?\n\n> \*\*From the tool server “everything”: .+\*\*\n>\n> .*Faro/u,
    );

    await attach.click();
    await expect(dialog.getByRole('heading', { name: 'Resources', exact: true })).toBeVisible();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: /architecture\.md/u }).click();
    await dialog.getByRole('button', { name: 'Put into the message' }).click();
    await expect(composer(page)).toHaveValue(/architecture\.md/u);
    const answer = await ask(page, await composer(page).inputValue());
    await expect(answer).toContainText('architecture.md');

    // A resource that is no text goes along as a file.
    await attach.click();
    await dialog.getByRole('button', { name: /blob/iu }).click();
    await dialog.getByLabel('resourceId', { exact: true }).fill('7');
    await dialog.getByRole('button', { name: 'Show the text' }).click();
    await expect(dialog.getByRole('list', { name: 'Files of the server' })).toContainText('7.txt text/plain');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Attach to the message' }).click();
    await expect(dialog).toBeHidden();
    const attached = page.getByRole('list', { name: 'Attachments' });
    await expect(attached.getByRole('listitem')).toContainText('7.txt');
    await expect(attached.getByRole('progressbar')).toHaveCount(0);
    await ask(page, 'What is in it?');
    await expect(page.getByRole('article').last()).toContainText('7.txt');
    await expectNoSidewaysScroll(page);
  } finally {
    await page.goto('about:blank');
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
