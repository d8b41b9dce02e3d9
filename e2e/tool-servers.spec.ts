import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startAskingServer } from '../server/src/testing/mcp/asking-server.ts';
import { startOAuth } from '../server/src/testing/mcp/oauth-server.ts';
import { program } from '../server/src/testing/mcp/programs.ts';
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './journey.ts';
import { startServer } from './server.ts';
import { closeSidebar, closeToast, exchanges, say, send, sidebar, signUpPro, startSession } from './workshop.ts';

test('a server’s pictures, links, data and questions are shown in the conversation', async ({ page, complaints }) => {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-journey-servers-'));
  const config = join(folder, 'servers.json');
  const asking = await startAskingServer();
  // As pasted from a README, with a name that no tool’s id could hold.
  const broken = '"broken one": { "command": "no-such-program-anywhere", },';
  writeFileSync(
    config,
    `{ // my servers\n"mcpServers": { ${broken} "every thing!": ${JSON.stringify(program('everything', 'stdio'))}, "harbour": { "url": "${asking.url}" } } }`,
  );
  const server = await startServer({ MCP_SERVERS_FILE: config });
  try {
    await signUpPro(page, server);
    await page.getByRole('button', { name: 'Create Agent' }).first().click();
    const form = page.getByRole('dialog', { name: 'Create Agent' });
    await form.getByLabel('Name').fill('Sampler');
    await form.getByLabel('Prompt').fill('You try tools');
    await form.getByLabel('Search tools').fill('every thing');
    await form.getByRole('checkbox', { name: 'All tools of “every thing!”' }).check();
    await expect(form.getByRole('checkbox', { name: /__echo$/u })).toBeChecked();
    await form.getByLabel('Search tools').fill('harbour');
    await form.getByRole('checkbox', { name: 'harbour__ask' }).check();
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    await form.getByRole('button', { name: 'Create Agent' }).click();
    await closeToast(page, 'Agent created!');
    await startSession(page, 'Sampler');
    const use = async (words: string) => {
      const last = await say(page, words);
      await expect(last.getByRole('button', { name: /^(?:Allow once|Copy answer)$/u })).toBeVisible();
      const asks = last.getByRole('button', { name: 'Allow once' });
      if (await asks.isVisible()) await asks.click();
    };
    const finished = () => expect(exchanges(page).last().getByRole('button', { name: 'Copy answer' })).toBeVisible();

    await use('Use get-tiny-image');
    await finished();
    const picture = exchanges(page).last().getByRole('img', { name: 'What the tool answered, number 1' });
    await expect.poll(() => picture.evaluate((img) => Reflect.get(img, 'naturalWidth'))).toBeGreaterThan(0);

    await use('Use get-structured-content with {"location": "Chicago"}');
    await finished();
    const table = exchanges(page).last().getByRole('region', { name: 'What the tool answered' });
    await expect(table.getByRole('row', { name: /temperature/u })).toBeVisible();

    await use('Use get-resource-links with {"count": 2}');
    await finished();
    const links = exchanges(page).last().getByRole('list', { name: 'Links that the tool answered' });
    await expect(links.getByRole('listitem')).toHaveCount(2);

    await use('Use trigger-elicitation-request');
    const question = page.getByRole('form', { name: 'The server “every thing!” asks you' });
    await question.getByLabel('String', { exact: true }).fill('Ada of Faro');
    await (await sidebar(page)).getByRole('link', { name: 'Explore Agents' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Keep editing' }).click();
    await expect(page.getByRole('alertdialog')).toBeHidden();
    await closeSidebar(page);
    await expect(question.getByLabel('String', { exact: true })).toHaveValue('Ada of Faro');
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    await question.getByRole('button', { name: 'Send' }).click();
    await finished();
    await expect(exchanges(page).last()).toContainText('Ada of Faro');

    await use('Use harbour__ask');
    const berth = page.getByRole('form', { name: 'The server “harbour” asks you' });
    await berth.getByLabel('Guests').fill('9');
    await expect(berth.getByText('“Guests” must be at most 4.')).toBeVisible();
    await berth.getByLabel('Mail').fill('ada');
    await expect(berth.getByText('“Mail” must be an email address.')).toBeVisible();
    await berth.getByLabel('Code').fill('ab-1');
    await expect(berth.getByText('“Code” doesn’t have the form that the server wants: ^[A-Z]+-\\d+$')).toBeVisible();
    await berth.getByLabel('Water').check();
    await berth.getByLabel('Power').check();
    await expect(berth.getByText('“Extras” must have at most 1 choice.')).toBeVisible();
    await expectAccessible(page);
    await berth.getByRole('button', { name: 'Send' }).click();
    await expect(berth.getByLabel('Mail')).toBeFocused();
    await berth.getByLabel('Mail').fill('ada@faro.example');
    await berth.getByLabel('Guests').fill('2');
    await berth.getByLabel('Power').uncheck();
    await berth.getByLabel('When').fill('2026-11-26T12:00');
    await berth.getByLabel('Berth').selectOption('South');
    // What only the server of the product can tell for sure is refused there.
    complaints.expectConsole(/400 \(Bad Request\)/u);
    await berth.getByRole('button', { name: 'Send' }).click();
    await expect(berth.getByLabel('Code')).toBeFocused();
    await expect(berth.getByLabel('Code')).toHaveValue('ab-1');
    await expect(berth.getByLabel('Mail')).toHaveValue('ada@faro.example');
    await expectNoSidewaysScroll(page);
    await berth.getByLabel('Code').fill('AB-1');
    await berth.getByRole('button', { name: 'Send' }).click();
    await finished();
    await expect(exchanges(page).last()).toContainText('"code":"AB-1"');
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    await page.reload();
    await expect(picture.or(exchanges(page).getByRole('img', { name: /number 1/u })).first()).toBeVisible();
  } finally {
    // A page that is still open would ask on, and complain.
    await page.goto('about:blank');
    await server.stop();
    await asking.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a server of one’s own is signed in at, in a tab of its own', async ({ page, server, complaints }) => {
  // The sign-in service’s own pages ask for a font, and wait for it where the network answers nothing.
  complaints.expectConsole(/https:\/\/fonts\.googleapis\.com\//u);
  await page.context().route('https://fonts.googleapis.com/**', (route) => route.abort());
  const act = { name: 'act', description: 'Acts for you.', inputSchema: { type: 'object' } };
  const oauth = await startOAuth([act], { back: `${server.url}/api/mcp-servers/signed-in` });
  try {
    await signUpPro(page, server);
    await page.getByRole('button', { name: 'Create Agent' }).first().click();
    const form = page.getByRole('dialog', { name: 'Create Agent' });
    await form.getByLabel('Name').fill('Envoy');
    await form.getByLabel('Prompt').fill('You act');
    await form.getByRole('button', { name: 'Add a server' }).click();
    const adding = form.getByRole('group', { name: 'Add a server' });
    await adding.getByLabel('Server name').fill('Harbour office');
    await adding.getByLabel('Address').fill(oauth.url);
    await expectAccessible(page);
    await adding.getByRole('button', { name: 'Add server' }).click();
    const row = form.getByRole('region', { name: 'Tool servers' }).getByRole('listitem');
    await expect(row).toContainText('It wants to know who you are');
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);

    await row.getByRole('button', { name: 'Sign in' }).click();
    const { host } = new URL(oauth.issuer);
    const asking = row.getByRole('group', { name: 'Sign-in for Harbour office' });
    await expect(asking).toContainText(`“Harbour office” sends you to ${host}.`);
    const link = asking.getByRole('link', { name: `Open ${host}` });
    await expect(link).toBeFocused();
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    await asking.getByRole('button', { name: 'Cancel' }).click();
    await expect(row.getByRole('button', { name: 'Sign in' })).toBeFocused();
    expect(page.context().pages()).toHaveLength(1);

    await row.getByRole('button', { name: 'Sign in' }).click();
    const opening = page.waitForEvent('popup');
    await link.click();
    const tab = await opening;
    await tab.getByPlaceholder('Enter any login').fill('ada');
    await tab.getByPlaceholder('and password').fill('x');
    await tab.getByRole('button', { name: 'Sign-in' }).click();
    await tab.getByRole('button', { name: 'Continue' }).click();
    await expect(tab.getByText('You are signed in at “Harbour office”.')).toBeVisible();
    await tab.close();

    await expect(row).toContainText('1 tool, signed in');
    await row.getByRole('button', { name: 'Change access' }).click();
    const access = row.getByRole('group', { name: 'Token for Harbour office' });
    await access.getByRole('button', { name: 'Sign in again' }).click();
    await expect(link).toBeFocused();
    await expectAccessible(page);
    await asking.getByRole('button', { name: 'Cancel' }).click();
    await expect(access.getByRole('button', { name: 'Sign in again' })).toBeFocused();
    await access.getByRole('button', { name: 'Cancel' }).click();
    await expect(row.getByRole('button', { name: 'Change access' })).toBeFocused();
    await form.getByLabel('Search tools').fill('acts');
    await form.getByRole('checkbox', { name: 'act', exact: true }).check();
    await form.getByRole('button', { name: 'Create Agent' }).click();
    await startSession(page, 'Envoy');
    await send(page, 'Use act');
    await page.getByRole('button', { name: 'Allow once' }).click();
    await expect(exchanges(page).last()).toContainText('ahoy');
  } finally {
    await page.goto('about:blank');
    await oauth.close();
  }
});
