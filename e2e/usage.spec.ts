import { expect, expectAccessible, expectNoSidewaysScroll, showIn, test } from './journey.ts';
import { ask, createAgent, register, startSession } from './workshop.ts';

test('a person sees what an answer took, and all of them by agent and day', async ({ page }) => {
  await register(page);
  await page.goto('/usage');
  await expect(page.getByText('No answers in these days.')).toBeVisible();
  await createAgent(page, 'Field Notes', 'You keep notes');
  await page.goto('/runtime');
  await startSession(page, 'Field Notes');
  const exchange = await ask(page, 'The kiln stands in Faro');
  await exchange.getByRole('button', { name: 'What this answer took' }).click();
  const figures = page.getByRole('dialog', { name: 'What this answer took' });
  await expect(figures.getByText('Built-in offline model')).toBeVisible();
  await expectAccessible(page);
  await figures.getByRole('link', { name: 'All usage' }).click();

  const byAgent = page.getByRole('table', { name: 'Usage by agent and model' });
  await expect(byAgent.getByRole('rowheader', { name: /Field Notes/u })).toBeVisible();
  await expect(byAgent.getByRole('cell', { name: 'Free' })).toBeVisible();
  await expect(page.getByRole('img', { name: /^Tokens from/u })).toBeVisible();
  await expect(page.getByText(/estimated, because the provider did not count them/u)).toBeVisible();
  await page.getByText('By day', { exact: true }).click();
  await expect(page.getByRole('table', { name: 'Usage by day' }).getByRole('row')).toHaveCount(2);
  await expectAccessible(page);
  await page.getByLabel('Period').selectOption('Last 7 days');
  await expect(page).toHaveURL(/days=7/u);
  await expect(byAgent).toBeVisible();
  // Until the days are there, those of before are shown, and soon paler.
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  await page.setViewportSize({ width: 320, height: 700 });
  await expectNoSidewaysScroll(page);
  await showIn(page, 'dark');
  await expectAccessible(page);
});

test('a failed report can be asked for again', { tag: '@night' }, async ({ page, complaints }) => {
  complaints.expectConsole(/403/u);
  await register(page);
  const refusal = { error: { code: 'forbidden', message: 'Not now.' } };
  await page.route('**/api/usage?*', (route) => route.fulfill({ status: 403, json: refusal }));
  await page.goto('/usage');
  await expect(page.getByRole('alert')).toContainText('Not now.');
  await expectAccessible(page);
  // Refused again: if it were not, a refetch of the page's own could come first and take the button away.
  const again = page.waitForResponse(/\/api\/usage\?/u);
  await page.getByRole('button', { name: 'Try again' }).click();
  await again;
  await page.unroute('**/api/usage?*');
  await page.reload();
  await expect(page.getByText('No answers in these days.')).toBeVisible();
});
