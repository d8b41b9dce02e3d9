import { startFakeOpenAI } from '../server/src/testing/fake-openai.ts';
import { expect, test } from './journey.ts';
import { startServer } from './server.ts';
import { closeSidebar, exchanges, openConversation, send, sidebar } from './workshop.ts';

test('kill -9 in the middle of an answer loses nothing that was there and costs nothing', { tag: '@night' }, async ({
  page,
  complaints,
}) => {
  // Requests to the dead server, and the answer it was writing.
  complaints.expectConsole(
    /ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_CONTENT_LENGTH_MISMATCH|ERR_CONNECTION_RESET/u,
  );
  const provider = await startFakeOpenAI({ text: 'Once upon a time.' });
  const server = await startServer({ OPENAI_BASE_URL: provider.url, OPENAI_API_KEY: 'sk-journey-0123456789' });
  try {
    await openConversation(page, { agent: 'Story Teller', prompt: 'You tell stories', at: server.url });
    await send(page, 'A first story');
    await expect(exchanges(page).first()).toContainText('Once upon a time.');
    await expect(page.getByText('Free tier: 1/10 messages')).toBeVisible();

    const words = Array.from({ length: 200 }, (_, i) => `word${i}`).join(' ');
    provider.behave({ text: words, deltas: 200, heldAfter: [60] });
    await send(page, 'A long story');
    await expect(exchanges(page).last()).toContainText('word8');
    // Words are on the screen a few milliseconds before they are stored.
    const id = new URL(page.url()).searchParams.get('sessionId');
    const stored = async () => (await (await page.request.get(`${server.url}/api/sessions/${id}/tasks`)).json()).tasks;
    await expect.poll(async () => (await stored()).at(-1)?.message).toContain('word2');
    await server.kill();
    await server.restart();

    await expect(exchanges(page).last()).toContainText('Interrupted.');
    await page.reload();
    await expect(exchanges(page)).toHaveCount(2);
    await expect(exchanges(page).first()).toContainText('Once upon a time.');
    await expect(exchanges(page).last()).toContainText('Interrupted.');
    await expect(exchanges(page).last()).toContainText('word2');
    await expect(page.getByText('Free tier: 1/10 messages')).toBeVisible();
    await expect((await sidebar(page)).getByRole('navigation', { name: 'Sessions' }).getByRole('link')).toHaveCount(1);
    await closeSidebar(page);

    provider.behave({ text: 'And they lived happily.', deltas: 2, heldAfter: [] });
    await exchanges(page).last().getByRole('button', { name: 'Retry' }).click();
    await expect(exchanges(page).last()).toContainText('And they lived happily.');
    await expect(page.getByText('Free tier: 2/10 messages')).toBeVisible();
  } finally {
    // An open page would keep asking, and log errors.
    await page.goto('about:blank');
    await server.stop();
    await provider.close();
  }
});
