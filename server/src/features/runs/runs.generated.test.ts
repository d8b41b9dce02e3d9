import { type Task, taskAnswer } from '@atelier/contract/runs';
import { expect, it } from 'vitest';
import { BranchOracle } from '../../testing/branch-oracle.ts';
import { branching } from '../../testing/branching.ts';
import { effort } from '../../testing/effort.ts';
import { eventually } from '../../testing/eventually.ts';
import { type Answer, cookieOf, ORIGIN, PASSWORD, testApp } from '../../testing/harness.ts';
import { closing } from '../../testing/lifetimes.ts';
import { modelsThat } from '../../testing/scripted-models.ts';

const OPERATIONS = effort(150, 2_000);
/** So many in two sessions, then in two others: long conversations only take longer. */
const BATCH = effort(150, 250);
/** Every so many steps, two operations run at once in one session, in an unknown order. */
const RACES = 20;
/** Whose answer waits until it is stopped. */
const HOLD = 'Hold on';

/** Everything that the model was given but the message itself, by message. */
const given = new Map<string, string>();
const models = modelsThat(async function* ({ messages, instructions, signal }) {
  const asked = messages.at(-1)?.text ?? '';
  given.set(asked, JSON.stringify([instructions, messages.slice(0, -1)]));
  if (asked.startsWith(HOLD))
    await new Promise((_, stopped) => signal.addEventListener('abort', () => stopped(signal.reason)));
  yield { type: 'delta', text: 'I see.' };
  yield { type: 'end', usage: { inputTokens: 1, outputTokens: 1, estimated: false } };
});

const app = await closing(testApp({ models, env: { ACCOUNT_BOUNDS: '1000', FACTS: 'off' } }));
const ada = await app.signUpPro('Ada');
await app.request('POST', '/api/agents', { as: ada, body: { name: 'Notes', prompt: 'You keep notes.' } });
const signedIn = await app.app.request(`${ORIGIN}/api/auth/sign-in/email`, {
  method: 'POST',
  headers: { 'content-type': 'application/json', origin: ORIGIN },
  body: JSON.stringify({ email: ada.email, password: PASSWORD }),
});
const clients = [ada, { ...ada, cookie: cookieOf(signedIn.headers) }];

/** The same numbers each time. */
function numbers(seed: number) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
const random = numbers(19);
const below = (n: number) => Math.floor(random() * n);
const oneOf = <T>(list: readonly T[]): T | undefined => list[below(list.length)];

interface Talk {
  sessionId: string;
  /** How each of the two clients sees the session. */
  views: ReturnType<typeof branching>[];
  oracle: BranchOracle;
}
let finished = 0;
let said = 0;
let recalledLines = 0;

async function openTalk(): Promise<Talk> {
  const opened = await app.request('POST', '/api/sessions', { as: clients[0], body: { agentId: 'notes' } });
  const sessionId = opened.body.session.id;
  const views = clients.map((person) => branching(() => ({ app, person, sessionId, agentId: 'notes' })));
  return { sessionId, views, oracle: new BranchOracle() };
}

/** Follows an accepted message to its end and counts it. */
async function ended(answer: Answer): Promise<Task> {
  expect(answer.status).toBe(202);
  const { id, sessionId } = answer.body.task;
  const address = `${ORIGIN}/api/sessions/${sessionId}/tasks/${id}/events`;
  const events = await (await app.app.request(address, { headers: { cookie: clients[0]?.cookie ?? '' } })).text();
  const [last = '{}'] = events
    .split('\n')
    .filter((line) => line.startsWith('data: {"task"'))
    .slice(-1);
  const { task } = taskAnswer.parse(JSON.parse(last.slice('data: '.length)));
  if (task.status === 'done') finished += 1;
  return task;
}

const markersIn = (text: string) => [...new Set(text.match(/thing\d+x/gu))];

type Change = (talk: Talk, view: Talk['views'][number]) => Promise<void>;
const message = () => `My thing${(said += 1)}x stands in the shed beside the other things.`;

const say = async (talk: Talk, view: Talk['views'][number], words: string, again?: string) => {
  const sent = await (again === undefined ? view.send(words) : view.edit(again, words));
  const task = await ended(sent);
  talk.oracle.say(task.id, markersIn(words)[0] ?? '', again);
  const allowed = new Set(talks.flatMap(({ oracle }) => oracle.markers()));
  const recalled = markersIn(given.get(words) ?? '');
  given.delete(words);
  recalledLines += recalled.length;
  // Both talks go on at the same time, and the other one's path may have changed since.
  expect(recalled.filter((marker) => !allowed.has(marker) && !wavering.has(marker))).toEqual([]);
};

const regenerate: Change = async (talk, view) => {
  // Not after a stop: the message would wait again.
  const node = oneOf(talk.oracle.living().filter(({ marker }) => marker !== ''));
  if (node === undefined) return say(talk, view, message());
  const task = await ended(await view.regenerate(node.id));
  talk.oracle.say(task.id, node.marker, node.id);
};

const stop: Change = async (talk, view) => {
  const sent = await view.send(`${HOLD} ${message()}`);
  expect(sent.status).toBe(202);
  const { id } = sent.body.task;
  const [node] = talk.oracle.living();
  // The path stays while an answer is written.
  if (node !== undefined) {
    expect((await view.edit(node.id, 'Too early')).status).toBe(409);
    expect((await view.remove(node.id)).status).toBe(409);
  }
  await view.stop(id);
  await ended(sent);
  talk.oracle.say(id, '');
};

const remove: Change = async (talk, view) => {
  const node = oneOf(talk.oracle.living());
  if (node === undefined) return;
  expect((await view.remove(node.id)).status).toBe(204);
  talk.oracle.hide(node.id);
};

const undo: Change = async (talk, view) => {
  const node = oneOf(talk.oracle.hidden());
  if (node === undefined) return;
  const { status } = await view.restore(node.id);
  // Meanwhile it may be gone for good.
  if (status === 404) return talk.oracle.remove(node.id);
  expect(status).toBe(200);
  talk.oracle.show(node.id);
};

const choose: Change = async (talk, view) => {
  const node = oneOf(talk.oracle.living());
  if (node === undefined) return;
  expect((await view.choose(node.id)).status).toBe(200);
  talk.oracle.choose(node.id);
};

const CHANGES: readonly [weight: number, Change][] = [
  [25, (talk, view) => say(talk, view, message())],
  [15, (talk, view) => say(talk, view, message(), oneOf(talk.oracle.living())?.id)],
  [12, regenerate],
  [28, choose],
  [10, remove],
  [7, undo],
  [3, stop],
];

function anyChange(): Change {
  let at = below(100);
  return CHANGES.find(([weight]) => (at -= weight) < 0)?.[1] ?? choose;
}

function anyView({ views }: Talk) {
  const view = oneOf(views);
  if (view === undefined) throw new Error('there is no client');
  return view;
}

/** Markers whose place may change while the other session's message is answered. */
const wavering = new Set<string>();
const talks: Talk[] = [];

async function expectAgreement({ views, oracle }: Talk) {
  const paths = await Promise.all(views.map((view) => view.path()));
  const ids = oracle.path.slice(-200);
  for (const path of paths) expect(path.map(({ id }) => id)).toEqual(ids);
  expect(paths[0]).toEqual(paths[1]);
  const order = oracle.living().toSorted((a, b) => a.created - b.created);
  for (const task of paths[0] ?? []) {
    const parent = oracle.parentOf(task.id);
    expect(task.parentId).toBe(parent);
    expect(task.siblings).toEqual(order.filter(({ id }) => oracle.parentOf(id) === parent).map(({ id }) => id));
  }
}

/** Two changes at once in one session: in every outcome, both clients see the same unbroken path. */
async function race({ sessionId, views }: Talk): Promise<void> {
  const [one, other] = views;
  if (one === undefined || other === undefined) return;
  const target = (await one.path()).at(below(3) - 3)?.id;
  if (target === undefined) return;
  const wild = (view: typeof one) =>
    [
      () => view.edit(target, message()),
      () => view.regenerate(target),
      () => view.choose(target),
      () => view.send(message()),
    ][below(4)];
  const answers = await Promise.all([wild(one)?.(), wild(other)?.()]);
  for (const answer of answers) {
    if (answer?.status === 202) await ended(answer);
    else expect([200, 409]).toContain(answer?.status);
  }
  const path = await one.path();
  expect(await other.path()).toEqual(path);
  for (const [at, task] of path.entries()) if (at > 0) expect(task.parentId).toBe(path[at - 1]?.id);
  expect(sessionId).toBe(path[0]?.sessionId);
}

/** A change in each of two sessions at the same time, or in one alone: the result is certain. */
async function change(open: Talk[]): Promise<number> {
  wavering.clear();
  const alone = random() < 0.5;
  if (!alone) {
    for (const { oracle } of talks) for (const { marker } of oracle.nodes.values()) wavering.add(marker);
  }
  const pair = alone ? open.slice(below(2)).slice(0, 1) : open;
  await Promise.all(pair.map((talk) => anyChange()(talk, anyView(talk))));
  return pair.length;
}

const batches = Array.from({ length: OPERATIONS / BATCH }, (_, n) => n * BATCH);
it.each(batches)('changes from the %ith leave one tree, true counts and no recalled line of a left path', async () => {
  const open = [await openTalk(), await openTalk()];
  talks.push(...open);
  const before = recalledLines;
  for (let done = 0; done < BATCH; ) {
    done += await change(open);
    if (done % 50 < 2) for (const talk of open) await expectAgreement(talk);
  }
  for (const talk of open) await expectAgreement(talk);
  // The model must have been given memories, or the comparison would prove nothing.
  expect(recalledLines - before).toBeGreaterThan(BATCH);
  const { body } = await app.request('GET', '/api/me', { as: clients[1] });
  expect(body.usage).toMatchObject({ messageCount: finished, taskCount: finished, sessionCount: talks.length });
});

it('two clients at once in one session agree in the end', async () => {
  const talk = await openTalk();
  const [view] = talk.views;
  if (view === undefined) throw new Error('no client');
  for (let n = 0; n < 4; n += 1) await ended(await view.send(message()));
  for (let n = 0; n < OPERATIONS / RACES; n += 2) await race(talk);
  await eventually(async () => {
    const { body } = await app.request('GET', '/api/me', { as: clients[0] });
    expect(body.usage.messageCount).toBe(finished);
  });
});
