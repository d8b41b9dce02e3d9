import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './journey.ts';
import { createAgent, register } from './workshop.ts';

const keys = (page: Page) => page.getByRole('region', { name: 'API keys' });

async function callWith(page: Page, key: string) {
  const answer = await page.request.post('/v1/chat/completions', {
    headers: { authorization: `Bearer ${key}`, origin: new URL(page.url()).origin },
    data: { model: 'field-notes', messages: [{ role: 'user', content: 'My kiln stands in Faro.' }] },
  });
  return answer.status();
}

test('a key is made, used, seen and revoked', async ({ page, server }) => {
  const person = await register(page);
  await createAgent(page, 'Field Notes', 'You keep notes');
  await page.goto('/account');
  await expect(keys(page).getByText('API keys are only available to Pro users.')).toBeVisible();
  await server.admin('grant-pro', person.email, '--reason', 'journey');

  await keys(page).getByRole('button', { name: 'Create a key' }).click();
  const form = page.getByRole('dialog', { name: 'Create an API key' });
  await form.getByLabel('Name').press('Enter');
  await expect(form.getByText('Name is required.')).toBeVisible();
  await form.getByLabel('Name').fill('Nightly report');
  await form.getByRole('checkbox', { name: 'All agents, including later ones' }).uncheck();
  await form.getByRole('button', { name: 'Create key' }).click();
  await expect(form.getByText('Choose at least one agent.')).toBeVisible();
  await form.getByRole('checkbox', { name: 'Field Notes' }).check();
  await expectAccessible(page);
  await form.getByLabel('Name').press('Enter');

  const shown = page.getByRole('dialog', { name: 'Your new key' });
  const secret = await shown.getByLabel('Key Nightly report').innerText();
  expect(secret).toMatch(/^atl_/u);
  await expectNoSidewaysScroll(page);
  await shown.getByRole('button', { name: 'I have copied it' }).click();
  await expect(page.getByText(secret)).toBeHidden();
  await expect(keys(page).getByText('May read and talk · Field Notes')).toBeVisible();
  await expect(keys(page).getByText('never used')).toBeVisible();

  expect(await callWith(page, secret)).toBe(200);
  // The use is noted after the answer.
  await expect.poll(async () => (await page.request.get('/api/keys')).text()).not.toContain('"lastUsedAt":null');
  await page.reload();
  await expect(keys(page).getByText('last used')).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await keys(page).getByRole('button', { name: 'Revoke Nightly report' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke key' }).click();
  await expect(page.getByText('Key “Nightly report” revoked.')).toBeVisible();
  await expect(keys(page).getByRole('listitem')).toHaveCount(0);
  expect(await callWith(page, secret)).toBe(401);
});

test('an agent says how to use it from code', async ({ page, server }) => {
  const person = await register(page);
  await createAgent(page, 'Field Notes', 'You keep notes');
  await server.admin('grant-pro', person.email, '--reason', 'journey');
  await page.goto('/library');
  await page.getByRole('button', { name: 'More for Field Notes' }).click();
  await page.getByRole('menuitem', { name: 'Use from code' }).click();
  const dialog = page.getByRole('dialog', { name: 'Use this agent from code' });
  const code = await dialog.getByRole('group', { name: 'Code, curl' }).innerText();
  const origin = new URL(page.url()).origin;
  const made = await page.request.post('/api/keys', { headers: { origin }, data: { name: 'Shell' } });
  const { key } = await made.json();
  const { stdout } = await promisify(execFile)('sh', ['-c', code.replace('YOUR_API_KEY', key.secret)]);
  expect(JSON.parse(stdout)).toMatchObject({ object: 'chat.completion', model: 'field-notes' });
  await dialog.getByRole('tab', { name: 'curl' }).press('ArrowRight');
  await expect(dialog.getByRole('tab', { name: 'TypeScript' })).toBeFocused();
  await expect(dialog.getByRole('group', { name: 'Code, TypeScript' })).toContainText("apiKey: 'YOUR_API_KEY'");
  await dialog.getByRole('tab', { name: 'MCP' }).click();
  await expect(dialog.getByRole('group', { name: 'Code, MCP' })).toContainText('/mcp/field-notes');
  const tools = await page.request.post('/mcp/field-notes', {
    headers: { origin, authorization: `Bearer ${key.secret}`, accept: 'application/json, text/event-stream' },
    data: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
  });
  expect(await tools.text()).toContain('"name":"recall"');
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
});
