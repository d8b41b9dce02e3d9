import { expect, expectNoSidewaysScroll, test } from './journey.ts';
import {
  ask,
  chooseForSession,
  closeSidebar,
  composer,
  newPerson,
  openConversation,
  sidebar,
  signUp,
} from './workshop.ts';

const SCRIPT = '<img src=x onerror="document.title=\'broken\'"><script>document.title="broken"</script>';
const MARKDOWN = '[click](javascript:alert(1)) ![x](https://evil.example/pixel.png) **bold** | a | b |';

test('names and messages full of markup, right-to-left text and emoji are shown as they were written', async ({
  page,
}) => {
  const person = newPerson(`<b>Ada</b> عربى 👩‍🚀 ${SCRIPT}`.slice(0, 90));
  await openConversation(page, { person, agent: '<i>Zürich</i> עברית 🧭', prompt: `${SCRIPT}\n${MARKDOWN}` });
  const shown = await ask(page, `${SCRIPT} ${MARKDOWN} مرحبا 🎈`);
  await expect(shown.getByText(SCRIPT).first()).toBeVisible();
  await expect(shown.locator('img[src], script, a[href^="javascript:"]')).toHaveCount(0);
  expect(await page.title()).not.toBe('broken');
  await expectNoSidewaysScroll(page);

  const list = (await sidebar(page)).getByRole('navigation', { name: 'Sessions' });
  await list.getByRole('link').first().hover();
  await chooseForSession(page, list, /^More for session/u, 'Rename…');
  await list.getByRole('textbox', { name: 'Session name' }).fill(SCRIPT.slice(0, 80));
  await list.getByRole('textbox', { name: 'Session name' }).press('Enter');
  await expect(list.getByRole('link', { name: SCRIPT.slice(0, 80) })).toBeVisible();
  await closeSidebar(page);
});

test('an over-long name is refused with what was typed still there', { tag: '@night' }, async ({ page }) => {
  await signUp(page);
  await page.getByRole('button', { name: 'Create Agent' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Create Agent' });
  const long = 'n'.repeat(300);
  await dialog.getByLabel('Name').fill(long);
  await dialog.getByLabel('Prompt').fill('You help me plan trips');
  await dialog.getByRole('button', { name: 'Create Agent' }).click();
  await expect(dialog.getByLabel('Name')).toHaveAttribute('aria-invalid', 'true');
  await expect(dialog.getByLabel('Name')).toHaveValue(long);
  for (const name of ['..', '.', '   ']) {
    await dialog.getByLabel('Name').fill(name);
    await dialog.getByRole('button', { name: 'Create Agent' }).click();
    await expect(dialog.getByLabel('Name')).toHaveAttribute('aria-invalid', 'true');
  }
  // What is wrong in a folded part opens it.
  await dialog.getByLabel('Name').fill('Field Notes');
  await dialog.getByText('More settings').click();
  await dialog.getByLabel('Description').fill(long);
  await dialog.getByText('More settings').click();
  await expect(dialog.getByLabel('Description')).toBeHidden();
  await dialog.getByRole('button', { name: 'Create Agent' }).click();
  await expect(dialog.getByLabel('Description')).toBeFocused();
  await expectNoSidewaysScroll(page);
});

test('blank text is not sent, and too much of it says so', { tag: '@night' }, async ({ page }) => {
  await openConversation(page, { prompt: 'You help me plan trips' });
  await composer(page).fill('   \n ');
  await composer(page).press('Enter');
  await page.reload();
  await expect(page.getByText('Nothing said yet.')).toBeVisible();
  await composer(page).fill('x'.repeat(32_001));
  await expect(page.getByRole('alert')).toContainText('The message is too long');
  await expect(page.getByRole('button', { name: 'Send' })).toBeDisabled();
});
