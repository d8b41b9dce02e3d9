import { expect, it } from 'vitest';
import { countStatements } from '../../testing/count-statements.ts';
import { eventually } from '../../testing/eventually.ts';
import { ORIGIN, testApp } from '../../testing/harness.ts';
import { closing } from '../../testing/lifetimes.ts';
import { scriptedModels } from '../../testing/scripted-models.ts';
import { nothingSent } from '../../testing/wire-count.ts';

const script = scriptedModels();
const app = await closing(testApp({ models: script.models, env: { FACTS: 'model' } }));
const ada = await app.signUpPro('Ada');
await app.request('POST', '/api/agents', { as: ada, body: { name: 'Field Notes', prompt: 'You help me' } });
const sessionId = await app.startSession(ada, 'field-notes');

/** Sends a message and follows its answer to the end, as a client does, and counts what both send to the database. */
async function exchange(inputText: string, answer: string) {
  const path = `/api/sessions/${sessionId}/tasks`;
  const body = { agentId: 'field-notes', inputText };
  const run = nothingSent();
  const asked = script.next().then((call) => ({ call, beforeProvider: { ...run } }));
  const sent = await countStatements(() => app.request('POST', path, { as: ada, body }), run);
  const { call, beforeProvider } = await asked;
  const events = `${ORIGIN}${path}/${sent.value.body.task.id}/events`;
  // Its answer begins before the agent's: a follower that comes too late reads the task from the database.
  const followed = await countStatements(async () => app.app.request(events, { headers: { cookie: ada.cookie } }));
  call.say(answer).end();
  expect(await followed.value.text()).toContain('"status":"done"');
  return { beforeProvider, run, following: followed.counted };
}

/** Waits for the session's name: that change makes followers read the database. A notice sent after it arrives after it. */
async function named() {
  await eventually(async () => {
    const { body } = await app.request('GET', `/api/sessions/${sessionId}`, { as: ada });
    expect(body.session.name).toContain('About');
  });
  const { live, db } = app.deps;
  const arrived = new Promise<void>((done) => {
    const stop = live.subscribe('marker', () => {
      stop();
      done();
    });
  });
  await db.transaction((tx) => live.notify(tx, 'marker', 'sessions', sessionId));
  await arrived;
}

/**
 * What an exchange takes at most. On PostgreSQL the receipt is logged by itself or together with the first word, and the log is written
 * again while an answer takes long.
 */
const MOST = {
  beforeProvider: { statements: 4, roundTrips: 4 },
  run: { statements: 7, roundTrips: 7 },
  following: { statements: 1, roundTrips: 1 },
};

it('an exchange with memory sends few statements, and waits for few of them before the provider is asked', async () => {
  // The first of a session also names it, and the first of a process prepares statements.
  await exchange('I live in Porto, close to the river.', 'How nice.');
  await named();
  await exchange('I moved to Lisbon last month.', 'Congratulations.');
  await exchange('Where did I live?', 'In Porto.');
  const asked = await exchange('Where do I live?', 'In Lisbon.');
  // What a person tells also sends the job that looks for facts.
  const told = await exchange('My sister Nora is allergic to peanuts.', 'I will remember.');
  for (const counted of [asked, told]) {
    for (const kind of ['statements', 'roundTrips'] as const) {
      // A counter that sees nothing must not pass.
      expect(counted.beforeProvider[kind]).toBeGreaterThan(0);
      for (const when of ['beforeProvider', 'run', 'following'] as const)
        expect(counted[when][kind]).toBeLessThanOrEqual(MOST[when][kind]);
    }
  }
});
