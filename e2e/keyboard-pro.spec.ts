import { startMcpServer } from '../server/src/testing/mcp/http-server.ts';
import { expect, expectAccessible, test } from './journey.ts';
import { ask, exchanges, openConversation, tabTo } from './workshop.ts';

test('@desk memories are searched, pinned, edited and forgotten by keyboard alone', { tag: '@night' }, async ({
  page,
  server,
}) => {
  await openConversation(page, { prompt: 'You help me plan trips', pro: server });
  await ask(page, 'My sister is allergic to peanuts');
  await page.goto('/memory?view=said');
  const list = page.getByRole('list', { name: 'Memories' });
  await expect(list.getByRole('listitem')).toHaveCount(2);
  await tabTo(page, page.getByLabel('Said by'));
  await page.keyboard.press('ArrowDown');
  const row = list.getByRole('listitem');
  await expect(row).toHaveCount(1);
  await tabTo(page, row.getByRole('button', { name: 'Pin' }));
  await page.keyboard.press('Enter');
  await expect(row.getByRole('button', { name: 'Pinned' })).toBeFocused();

  const edit = row.getByRole('button', { name: 'Edit' });
  const words = page.getByLabel('What is remembered');
  await tabTo(page, edit, 'Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(words).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(edit).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(words).toBeFocused();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('My sister is allergic to shellfish');
  await tabTo(page, page.getByRole('button', { name: 'Save' }));
  await page.keyboard.press('Enter');
  await expect(row).toContainText('edited');
  await expect(edit).toBeFocused();

  await tabTo(page, page.getByLabel('Select all shown'), 'Shift+Tab');
  await page.keyboard.press('Space');
  await tabTo(page, page.getByRole('button', { name: 'Forget 1 selected' }));
  await page.keyboard.press('Enter');
  const question = page.getByRole('alertdialog');
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Forget 1 selected' })).toBeFocused();
  await page.keyboard.press('Enter');
  await tabTo(page, question.getByRole('button', { name: 'Forget' }));
  await page.keyboard.press('Enter');
  await expect(page.getByText('No memories match.')).toBeVisible();
});

test('@desk a server of tools is added, asked, approved again and removed by keyboard alone', {
  tag: '@night',
}, async ({ page, server }) => {
  const lift = { name: 'lift', description: 'Lifts a load', inputSchema: { type: 'object', properties: {} } };
  const tools = [lift];
  const crane = await startMcpServer(tools);
  try {
    await openConversation(page, { agent: 'Docker', prompt: 'You load ships', pro: server });
    const edit = page.getByRole('button', { name: 'Edit Agent' });
    const dialog = page.getByRole('dialog', { name: 'Edit Agent' });
    const servers = dialog.getByRole('region', { name: 'Tool servers' });
    await tabTo(page, edit);
    await page.keyboard.press('Enter');
    await tabTo(page, servers.getByRole('button', { name: 'Add a server' }));
    await page.keyboard.press('Enter');
    await expect(servers.getByLabel('Server name')).toBeFocused();
    await page.keyboard.type('crane');
    await page.keyboard.press('Tab');
    await page.keyboard.type('ftp://example.com');
    await page.keyboard.press('Enter');
    await expect(servers.getByLabel('Address')).toHaveAttribute('aria-invalid', 'true');
    await expect(servers.getByLabel('Address')).toBeFocused();
    await page.keyboard.press('Control+a');
    await page.keyboard.type(crane.url);
    await page.keyboard.press('Enter');
    await expect(servers).toContainText('1 tool');
    await expect(servers.getByRole('button', { name: 'Add a server' })).toBeFocused();
    await tabTo(page, dialog.getByLabel('Search tools'), 'Shift+Tab');
    await page.keyboard.type('lift');
    await tabTo(page, dialog.getByRole('checkbox', { name: 'lift' }));
    await page.keyboard.press('Space');
    await tabTo(page, dialog.getByRole('button', { name: 'Save Agent' }));
    await page.keyboard.press('Enter');
    await expect(dialog).toBeHidden();

    const decide = async (name: string) => {
      await page.keyboard.press('/');
      await page.keyboard.type('Use lift');
      await page.keyboard.press('Enter');
      await tabTo(
        page,
        page.getByRole('group', { name: /May “lift” run/u }).getByRole('button', { name }),
        'Shift+Tab',
      );
      await page.keyboard.press('Enter');
      // The question goes away; the line of its tool has the focus.
      await expect(exchanges(page).last().locator('summary')).toBeFocused();
      await expect(exchanges(page).last().getByRole('button', { name: 'Copy answer' })).toBeVisible();
    };
    await decide('Deny');
    await expect(exchanges(page).last()).toContainText('did not allow');
    await decide('Allow once');
    await page.keyboard.press('Enter');
    await expect(exchanges(page).last().getByText('ahoy').first()).toBeVisible();

    tools[0] = { ...lift, description: 'Lifts and drops a load' };
    await decide('Allow once');
    await expect(exchanges(page).last()).toContainText(/approve/u);
    await tabTo(page, edit, 'Shift+Tab');
    await page.keyboard.press('Enter');
    const changes = servers.getByRole('group', { name: 'What changed in crane' });
    await expect(changes).toContainText('Before: Lifts a load');
    await expect(changes).toContainText('Now: Lifts and drops a load');
    await expectAccessible(page);
    await tabTo(page, servers.getByRole('button', { name: 'Approve again' }));
    await page.keyboard.press('Enter');
    await expect(changes).toBeHidden();
    const remove = servers.getByRole('button', { name: 'Remove' });
    await expect(remove).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(remove).toBeHidden();
    await expect(servers.getByRole('button', { name: 'Add a server' })).toBeFocused();
  } finally {
    await page.goto('about:blank');
    await crane.close();
  }
});
