import { type Fact, factsAnswer } from '@atelier/contract/facts';
import { expect, it } from 'vitest';
import { newTalk } from '../../testing/branching.ts';
import { type TestUser, testApp } from '../../testing/harness.ts';
import { closing } from '../../testing/lifetimes.ts';
import { distilExchange } from './distil.service.ts';

const app = await closing(testApp({ env: { FACTS: 'rules' } }));

const facts = async (as: TestUser): Promise<string[]> => {
  const { body } = await app.request('GET', '/api/facts', { as });
  return factsAnswer.parse(body).facts.flatMap((fact: Fact) => (fact.replacedBy === undefined ? [fact.text] : []));
};

it('a fact hides with the path that it was said on, and what it replaced is true again', async () => {
  const ada = await app.signUpPro('Ada');
  const talk = await newTalk(app, ada);
  const tell = async (answer: Parameters<typeof talk.answered>[0]) => {
    const task = await talk.answered(answer);
    await distilExchange(app.deps, { userId: ada.uid, taskId: task.id });
    return task;
  };
  await tell(await talk.send('I live in Porto.'));
  const lisbon = await tell(await talk.send('I moved to Lisbon.'));
  const inLisbon = await facts(ada);
  expect(inLisbon.join()).toContain('Lisbon');
  expect(inLisbon.join()).not.toContain('Porto');
  const braga = await tell(await talk.edit(lisbon.id, 'I moved to Braga.'));
  expect((await facts(ada)).join()).toMatch(/^(?!.*(?:Porto|Lisbon)).*Braga/u);
  await talk.choose(lisbon.id);
  expect(await facts(ada)).toEqual(inLisbon);
  await talk.choose(braga.id);
  await tell(await talk.edit(braga.id, 'What a day!'));
  expect((await facts(ada)).join()).toMatch(/^(?!.*(?:Braga|Lisbon)).*Porto/u);
});
