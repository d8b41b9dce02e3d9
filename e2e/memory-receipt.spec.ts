import { expect, expectAccessible, test } from './journey.ts';
import { ask, exchanges, openConversation, startSession } from './workshop.ts';

const WALK = 'The weather was mild and the trams were late again, so we walked. '.repeat(5);
const PLAN = [
  '## Three days in Lisbon',
  WALK,
  'These trips are worth it:',
  '- **Sintra:** the train leaves every half hour from [Rossio station](https://example.com/rossio).\n- Cascais is by the sea.',
  '| Museum | Closed |\n|---|---|\n| Tiles | Monday |\n| Carriages | Tuesday |',
  WALK,
].join('\n\n');

test('a receipt shows the sentences that were given, rendered, and leads to the whole message', async ({
  page,
  provided,
}) => {
  const { server, provider } = provided;
  await openConversation(page, { prompt: 'You help me plan trips', at: server.url, pro: server });
  provider.behave({ text: PLAN });
  await ask(page, 'My sister Nora is allergic to peanuts. Please plan three days in Lisbon for us.');
  await startSession(page, 'Field Notes');
  provider.behave({ text: 'From Rossio station. The museum of tiles is closed on Mondays.' });
  await ask(page, 'My brother Ole likes the train to Sintra and the museum of tiles.');
  const answer = await ask(page, 'Where does the train to Sintra leave, and when is the museum of tiles closed?');
  await answer.getByRole('button', { name: /^Memory: \d from earlier · 1 from here$/u }).click();
  const receipt = page.getByRole('dialog', { name: 'Context Retrieved' });
  const given = receipt.getByRole('listitem').filter({ has: page.getByRole('link', { name: 'whole message' }) });
  const plan = given.filter({ hasText: 'Rossio station' });
  // What the conversation holds anyway is folded.
  const ole = receipt.getByText('My brother Ole');
  await expect(ole).toBeHidden();
  await receipt.getByText('1 more in this conversation').click();
  await expect(ole).toBeVisible();
  await expect(plan.getByText('These trips are worth it:')).toBeVisible();
  await expect(plan.locator('strong')).toHaveText('Sintra:');
  await expect(plan).not.toContainText('**');
  await expect(plan).not.toContainText('trams were late');
  await expectAccessible(page);
  // What is edited is the whole message.
  await plan.getByRole('button', { name: 'Edit' }).click();
  await expect(page.getByLabel('What is remembered')).toHaveValue(/trams were late/u);
  await plan.getByRole('button', { name: 'Cancel' }).click();
  await plan.getByRole('link', { name: 'whole message' }).click();
  await expect(receipt).toBeHidden();
  await expect(page).toHaveURL(/taskId=/u);
  await expect(exchanges(page).first()).toContainText('trams were late');
});
