import { startFakeOpenAI } from '../server/src/testing/fake-openai.ts';
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './journey.ts';
import { startServer } from './server.ts';
import { ask, openConversation } from './workshop.ts';

const RAILWAY = 'We take the railway to Basel';

test('“trains” finds “railway” without embeddings, and each hit says why', async ({ page, server }) => {
  await openConversation(page, { prompt: 'You help me plan trips', pro: server });
  await ask(page, RAILWAY);

  await page.keyboard.press('Control+k');
  const box = page.getByRole('combobox', { name: 'Search' });
  await box.fill('trains');
  const hit = page.getByRole('group', { name: 'Messages' }).getByRole('option').first();
  await expect(hit).toContainText('matches “trains” by the related word “railway”');
  await expect(hit).toContainText(/\d+ \w+ \d{4} · Field Notes/u);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await box.fill('zzqx');
  await expect(page.getByText('Nothing was found for “zzqx”.')).toBeVisible();
  await page.keyboard.press('Escape');

  await page.goto('/memory?view=said&q=trains');
  const rows = page.getByRole('list', { name: 'Memories' }).getByRole('listitem');
  await expect(rows.filter({ hasText: RAILWAY }).first()).toContainText(
    'matches “trains” by the related word “railway”',
  );
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
});

test('with embeddings what shares no word is found by meaning; without an answer from them, by words', {
  tag: '@night',
}, async ({ page }) => {
  const provider = await startFakeOpenAI({ text: 'Noted.' });
  const server = await startServer({
    OPENAI_BASE_URL: provider.url,
    OPENAI_API_KEY: 'sk-journey-0123456789',
    EMBEDDING_MODEL: 'fake',
    EMBEDDING_DIMENSIONS: '512',
  });
  await openConversation(page, { prompt: 'You help me plan trips', at: server.url, pro: server });
  await ask(page, 'Anybody intolerant avoids the satay');

  await page.keyboard.press('Control+k');
  const box = page.getByRole('combobox', { name: 'Search' });
  await box.fill('peanuts');
  const hit = page.getByRole('group', { name: 'Messages' }).getByRole('option').first();
  await expect(hit).toContainText('matches “peanuts” by meaning');
  await page.keyboard.press('Escape');
  await page.goto(`${server.url}/memory?view=said&q=peanuts`);
  const rows = page.getByRole('list', { name: 'Memories' }).getByRole('listitem');
  await expect(rows.filter({ hasText: 'satay' })).toContainText('matches “peanuts” by meaning');

  provider.behave({ embeddings: 'fail' });
  await page.getByLabel('Search memories').fill('nuts');
  await expect(page.getByText('Search by meaning isn’t answering right now, so this is by words only.')).toBeVisible();
  await expectAccessible(page);
  // A page that is still open would complain that its server has gone.
  await page.goto('about:blank');
  await server.stop();
  await provider.close();
});
