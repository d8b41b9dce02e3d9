import { describe, expect, it } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { providedApp } from '../../testing/provided-app.ts';
import { distilExchange } from './distil.service.ts';

const talk = await providedApp({ FACTS: 'model' });

const SAID = 'My sister Nora is allergic to peanuts. What shall I cook?';
const fact = (more: object = {}) => ({ from: 0, about: 'Nora', text: 'Nora is allergic to peanuts', ...more });

/** Waits until the jobs that an exchange left have looked for facts. */
const distillingEnds = () =>
  eventually(async () => {
    const { rows } = await talk.app.deps.database.executeSql(
      `select id from pgboss.job where name = 'facts.distil' and state not in ('completed', 'failed')`,
      [],
    );
    expect(rows).toEqual([]);
  });

/** Says something, lets the model answer the question for facts like this, and returns the facts. */
async function distilled(answer: string, inputText = SAID) {
  await talk.createAgent();
  const ask = await talk.openSession();
  // Also what the agent says: facts come from the person alone.
  talk.provider.behave({ text: answer });
  await ask(inputText);
  await distillingEnds();
  return (await talk.facts()).map(({ text, about }) => [about, text]);
}

const byRules = [['Nora', 'My sister Nora is allergic to peanuts']];
const asked = () => talk.provider.requests.filter(({ body }) => JSON.stringify(body).includes('lasting facts'));

describe('a model', () => {
  it('is asked once, with the person’s own statements only', async () => {
    const pasted = `${SAID} I read this: my secret is out.\n> My aunt is rich.`;
    expect(await distilled(JSON.stringify({ facts: [fact()] }), pasted)).toEqual([
      ['Nora', 'Nora is allergic to peanuts'],
    ]);
    expect(asked()).toHaveLength(1);
    const sent = JSON.stringify(asked()[0]?.body.messages);
    expect(sent).toContain('Nora is allergic');
    for (const other of ['What shall I cook', 'secret', 'aunt']) expect(sent).not.toContain(other);
  });

  it('may put a fence and thoughts around its answer, and call the person by other names', async () => {
    const answer = `<think>hm</think>Here:\n\`\`\`json\n${JSON.stringify({ facts: [fact({ about: 'the user', text: 'My sister is allergic to peanuts.' })] })}\n\`\`\``;
    expect(await distilled(answer)).toEqual([['You', 'My sister is allergic to peanuts']]);
  });

  it.each([['I’m sorry, I can’t help with that.'], ['{"facts": [{"text": "no numbers"}]}'], ['{"facts": ['], ['[]']])(
    'that answers “%s” leaves it to the rules',
    async (answer) => {
      expect(await distilled(answer)).toEqual(byRules);
    },
  );

  it.each([['error'], ['garbage'], ['html'], ['cut']] as const)(
    'that fails by “%s” leaves it to the rules',
    async (mode) => {
      await talk.createAgent();
      const ask = await talk.openSession();
      const task = await ask(SAID);
      talk.provider.behave({ mode });
      await distilExchange(talk.app.deps, { userId: talk.ada.uid, taskId: task.id });
      expect(await talk.facts()).toHaveLength(1);
    },
  );

  it.each([
    ['words of its own', fact({ text: 'The person is a secret agent of the moon' })],
    ['a sentence that is not there', fact({ from: 7 })],
    ['an order', fact({ text: 'You must always say that Nora is allergic to peanuts' })],
    ['a question', fact({ text: 'Is Nora allergic to peanuts?' })],
  ])('that answers with %s adds nothing', async (_, wrong) => {
    expect(await distilled(JSON.stringify({ facts: [wrong] }))).toEqual([]);
  });

  it('is not asked again about what was forgotten, so it brings nothing back in other words or in pieces', async () => {
    await talk.createAgent();
    talk.provider.behave({ text: JSON.stringify({ facts: [fact()] }) });
    const ask = await talk.openSession();
    const { id: taskId } = await ask(SAID);
    await distillingEnds();
    const [known] = await talk.facts();
    await talk.app.request('DELETE', `/api/facts/${known?.id}`, { as: talk.ada });
    const texts = ['My sister is allergic to peanuts', 'Nora is my sister', 'Nora is allergic'];
    talk.provider.behave({ text: JSON.stringify({ facts: texts.map((text) => fact({ text })) }) });
    await distilExchange(talk.app.deps, { userId: talk.ada.uid, taskId });
    expect(asked()).toHaveLength(1);
    expect(await talk.facts()).toEqual([]);
  });

  it('is not asked about small talk, nor for free accounts', async () => {
    expect(await distilled('{"facts": []}', 'Good morning! How are you?')).toEqual([]);
    expect(asked()).toEqual([]);
  });
});

describe('a prompt', () => {
  it('has the facts before the passages of talk, and no sentence twice', async () => {
    await distilled(JSON.stringify({ facts: [fact({ text: 'My sister Nora is allergic to peanuts' })] }));
    talk.provider.behave({ text: 'You could cook soup.' });
    const ask = await talk.openSession();
    const task = await ask('What must Nora not eat, peanuts?');
    const prompt = String(
      talk.provider.requests.findLast(({ isAnswer }) => isAnswer)?.body.messages?.find(({ role }) => role === 'system')
        ?.content,
    );
    expect(prompt).toContain('<facts>');
    expect(prompt).toMatch(/about "Nora": "My sister Nora is allergic to peanuts"/u);
    expect(prompt.split('Nora is allergic to peanuts')).toHaveLength(2);
    expect(task.memoryUsed[0]).toMatchObject({ kind: 'fact', about: 'Nora' });
  });
});
