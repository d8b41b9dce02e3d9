import type { Task } from '@atelier/contract/runs';
import { expect, it } from 'vitest';
import { branching, newTalk } from '../../testing/branching.ts';
import { testApp } from '../../testing/harness.ts';
import { closing } from '../../testing/lifetimes.ts';
import { moving } from '../../testing/moving.ts';

const app = await closing(testApp({ env: { FACTS: 'rules' } }));
const { archiveOf, importInto } = moving(() => app);

it('an archive carries the tree of a session and its chosen path', async () => {
  const there = await app.signUpPro('Ada there');
  const talk = await newTalk(app, there);
  await talk.answered(await talk.send('One'));
  const two = await talk.answered(await talk.send('Two'));
  await talk.answered(await talk.send('Three'));
  await talk.answered(await talk.edit(two.id, 'Zwei'));
  await talk.choose(two.id);
  const here = await app.signUpPro('Ada here');
  expect((await importInto(here, await archiveOf(there))).state).toBe('done');
  const { body } = await app.request('GET', '/api/sessions', { as: here });
  const copy = branching(() => ({ app, person: here, sessionId: body.sessions[0].id, agentId: 'notes' }));
  const words = (path: Task[]) => path.map(({ inputText }) => inputText);
  const path = await copy.path();
  expect(words(path)).toEqual(['One', 'Two', 'Three']);
  expect(path.map(({ parentId }) => parentId)).toEqual([null, path[0]?.id, path[1]?.id]);
  expect(path.map(({ siblings }) => siblings.length)).toEqual([1, 2, 1]);
  await copy.choose(path[1]?.siblings.at(-1) ?? '');
  expect(words(await copy.path())).toEqual(['One', 'Zwei']);
});
