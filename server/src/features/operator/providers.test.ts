import { MODELS_AT_ONCE } from '@atelier/contract/operator/providers';
import { beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { startFakeOpenAI } from '../../testing/fake-openai.ts';
import { type TestApp, type TestUser, testApp } from '../../testing/harness.ts';
import { closing } from '../../testing/lifetimes.ts';
import { actsOf } from '../../testing/operator-acts.ts';
import { providedApp } from '../../testing/provided-app.ts';
import { loadExclusions, storeUses } from '../providers/providers.service.ts';
import { runAdminCommand } from './operator.service.ts';

/** What a person says, a model answers and a provider repeats in an error. */
const CANARY = 'peanutcanary in Faro';
const TAKEN_AWAY = 'The operator of this server has taken the model “gpt-4” away. Choose another model for this agent.';

const talk = await providedApp({ MODEL_TIMEOUT_MS: '1000' }, { text: CANARY, errorMessage: CANARY });
const { app, provider } = talk;
const name = new URL(provider.url).host;
const env = { OPENAI_BASE_URL: provider.url, MODEL_TIMEOUT_MS: '1000' };
const other = await closing(testApp({ env, database: app.deps.database }));
let operator: TestUser;
let ada: TestUser;
beforeEach(async () => {
  for (const { deps } of [app, other]) {
    deps.models.uses.clear();
    await loadExclusions(deps);
  }
  // Whoever comes first runs the installation.
  operator = talk.ada;
  ada = await app.signUp('Bob');
});

const list = async (one = app) => (await one.request('GET', '/api/admin/providers', { as: operator })).body;
const at = (what: string, of = name) => `/api/admin/providers/${encodeURIComponent(of)}/${what}`;
const put = (body: unknown, of = name) => app.request('PUT', at('models', of), { as: operator, body });
const offer = async (models: string[], offered: boolean, more: object = {}) =>
  (await put({ models, offered, ...more })).status;
const me = async (one = app) => (await one.request('GET', '/api/me', { as: ada })).body;
const answersAsked = () => provider.requests.filter(({ isAnswer }) => isAnswer).length;
const acts = () => actsOf(app, operator, ({ what, about, reason }) => [what, about, reason]);

const converse = (model: string, by = app) => talk.converse(model, { as: ada, by });

describe('the list of providers', () => {
  it('has where each is set, what it lists, and that all of it is offered at first', async () => {
    const { providers, standIn } = await list();
    expect([providers, standIn]).toEqual([
      [
        {
          name,
          host: name,
          origin: 'environment',
          problem: null,
          answeredAt: null,
          failure: null,
          models: ['gpt-3.5-turbo', 'gpt-4'].map((id) => ({ id, model: id, label: id, offered: true })),
        },
      ],
      'gpt-4',
    ]);
  });

  it('says when each answered last and how it failed, from all processes, without a word of anybody', async () => {
    const { say, ended } = await converse('gpt-4');
    await say(`My key hangs ${CANARY}.`);
    expect((await ended()).message).toBe(CANARY);
    const [first] = (await list()).providers;
    expect([first.answeredAt, first.failure]).toEqual([expect.any(String), null]);

    provider.behave({ mode: 'error', status: 400 });
    const failing = await converse('gpt-3.5-turbo', other);
    await failing.say(CANARY);
    expect((await failing.ended()).error).toContain(CANARY);
    await storeUses(other.deps);
    const answer = await list();
    expect(answer.providers[0].failure).toEqual({ at: expect.any(String), status: 400, code: null, type: 'fake' });
    expect(answer.providers[0].answeredAt >= first.answeredAt).toBe(true);
    expect(JSON.stringify(answer)).not.toContain('peanutcanary');
  });

  it('has the code of a connection that failed', async () => {
    const gone = await startFakeOpenAI();
    await gone.close();
    const env = { OPENAI_BASE_URL: gone.url, MODEL_TIMEOUT_MS: '1000' };
    const away = await testApp({ env, database: app.deps.database });
    try {
      const { say, ended } = await converse('gpt-4', away);
      await say('Hello');
      await ended();
      const [found] = (await list(away)).providers;
      expect(found).toMatchObject({ problem: expect.stringContaining('reached'), failure: { status: null } });
      expect(found.failure.code).toBe('ECONNREFUSED');
    } finally {
      await away.close();
    }
  });

  it('is tried when it is asked', async () => {
    const probe = async () => (await app.request('POST', at('probe'), { as: operator })).body;
    expect(await probe()).toEqual({ works: true, about: '2 models; gpt-4 answers' });
    const [{ answeredAt, failure }] = (await list()).providers;
    expect([answeredAt, failure]).toEqual([expect.any(String), null]);
    provider.behave({ mode: 'error', status: 401, errorMessage: 'Bad key.' });
    expect(await probe()).toEqual({ works: false, about: expect.stringContaining('gpt-4: The provider refused') });
    expect((await app.request('POST', at('probe', 'nobody'), { as: operator })).status).toBe(404);
    // What it said is shown once; how it failed stays, for other operators too.
    const [after] = (await list()).providers;
    expect(after).toMatchObject({ answeredAt, failure: { status: 401, code: null, type: 'fake' } });
    expect(JSON.stringify(after)).not.toContain('Bad key');
  });
});

describe('a model that is taken away', () => {
  it('is refused in every process, also to agents that have it, and answers again once it is offered', async () => {
    const { agent, say, ended, path } = await converse('gpt-4');
    await say('Hello');
    const first = await ended();
    expect(await offer(['gpt-4'], false, { reason: 'too dear' })).toBe(204);
    expect(await me()).toMatchObject({ models: [{ id: 'gpt-3.5-turbo' }], excludedModels: ['gpt-4'] });
    expect((await me()).standIn).toBe('gpt-3.5-turbo');
    await eventually(async () => expect((await me(other)).excludedModels).toEqual(['gpt-4']));

    const asked = answersAsked();
    const refused = { status: 400, body: { error: { code: 'invalid_input', message: TAKEN_AWAY, field: 'model' } } };
    const elsewhere = other.request('POST', path, { as: ada, body: { agentId: agent.id, inputText: 'x' } });
    expect([await say('Again'), await elsewhere]).toMatchObject([refused, refused]);
    const again = `${path}/${first.id}/regenerate`;
    for (const body of [{}, { model: 'gpt-4' }])
      expect(await app.request('POST', again, { as: ada, body })).toMatchObject(refused);
    const made = { name: 'New', prompt: 'Help.', model: 'gpt-4' };
    expect(await app.request('POST', '/api/agents', { as: ada, body: made })).toMatchObject(refused);
    // Where none is named, the one that stands in.
    expect((await app.call(ada, 'POST', '/api/agents', { name: 'New', prompt: 'Help.' })).agent.model).toBe(
      'gpt-3.5-turbo',
    );
    expect(answersAsked()).toBe(asked);
    expect((await me()).usage.messageCount).toBe(1);

    // Another model answers where it is named.
    expect((await app.request('POST', again, { as: ada, body: { model: 'gpt-3.5-turbo' } })).status).toBe(202);
    expect((await ended()).model).toBe('gpt-3.5-turbo');
    // What the agent has may stay; a change away from it isn't taken back.
    const change = (body: object) => app.request('PUT', `/api/agents/${agent.id}`, { as: ada, body });
    expect((await change({ model: 'gpt-4', prompt: 'Help more.' })).status).toBe(200);
    expect((await change({ model: 'gpt-3.5-turbo' })).status).toBe(200);
    expect(await change({ model: 'gpt-4' })).toMatchObject(refused);

    expect(await offer(['gpt-4'], true)).toBe(204);
    expect((await change({ model: 'gpt-4' })).status).toBe(200);
    expect((await say('And now?')).status).toBe(202);
    expect((await ended()).model).toBe('gpt-4');
    expect(await acts()).toEqual([
      ['models_offered', `${name}: gpt-4`, ''],
      ['models_taken_away', `${name}: gpt-4`, 'too dear'],
    ]);
  });

  it('is refused to programs, and an accepted message is answered as it was', async () => {
    const { agent, say, ended } = await converse('gpt-4');
    const once = { 'idempotency-key': crypto.randomUUID() };
    const { task } = (await say('Hello', once)).body;
    await ended();
    await app.grantPro(ada.uid);
    const { secret } = (await app.call(ada, 'POST', '/api/keys', { name: 'Cron' })).key;
    await offer(['gpt-4'], false);
    const body = { model: agent.id, messages: [{ role: 'user', content: 'Hello' }] };
    const asked = await app.request('POST', '/v1/chat/completions', {
      headers: { authorization: `Bearer ${secret}` },
      body,
    });
    expect([asked.status, asked.body.error.message]).toEqual([400, TAKEN_AWAY]);
    const repeated = await say('Hello', once);
    expect([repeated.status, repeated.body.task?.id]).toEqual([202, task.id]);
    expect((await say('Hello', { 'idempotency-key': crypto.randomUUID() })).status).toBe(400);
  });

  it('gives an imported agent the one that stands in for it', async () => {
    await offer(['gpt-4'], false);
    const settings = { prompt: 'You help.', tags: [], tools: [], temperature: 1, memoryEnabled: true };
    const file = { format: 'atelier.agent', version: 1, agent: { ...settings, name: 'Guest', model: 'gpt-4' } };
    const { agent, notes } = await app.call(ada, 'POST', '/api/agents/import', file);
    expect([agent.model, notes]).toEqual([
      'gpt-3.5-turbo',
      ['The model gpt-4 is not offered here; the agent uses gpt-3.5-turbo.'],
    ]);
  });

  it('is told to open pages of every process, once it counts there', async () => {
    const lists = new Map<TestApp, string[][]>([app, other].map((one) => [one, []]));
    const stops = [...lists].map(([{ deps }, excluded]) =>
      deps.live.subscribe(ada.uid, ({ event, data }) => {
        if (event === 'changed' && data.topic === 'models') excluded.push(deps.models.excluded());
      }),
    );
    await offer(['gpt-4'], false);
    for (const excluded of lists.values()) await eventually(() => expect(excluded.at(-1)).toEqual(['gpt-4']));
    for (const stop of stops) stop();
  });

  it('stays away after a start, and where its provider does not list it any more', async () => {
    await offer(['gpt-4'], false);
    const env = { OPENAI_BASE_URL: provider.url, MODEL_TIMEOUT_MS: '1000' };
    provider.on('/v1/models', { body: { object: 'list', data: [{ id: 'gpt-5', object: 'model' }] } });
    const later = await testApp({ env, database: app.deps.database });
    try {
      expect(await me(later)).toMatchObject({ models: [{ id: 'gpt-5' }], excludedModels: ['gpt-4'] });
      const { models } = (await list(later)).providers[0];
      expect(models.map(({ id, offered }: Record<string, unknown>) => [id, offered])).toEqual([
        ['gpt-5', true],
        ['gpt-4', false],
      ]);
    } finally {
      await later.close();
    }
  });
});

describe('offering models', () => {
  it('happens once, also twice at once, and leaves one that answers', async () => {
    expect(await Promise.all([offer(['gpt-4'], false), offer(['gpt-4', 'gpt-4'], false)])).toEqual([204, 204]);
    expect(await acts()).toHaveLength(1);
    const last = await put({ models: ['gpt-3.5-turbo'], offered: false });
    expect([last.status, last.body.error.message]).toEqual([
      409,
      'Nobody could be answered then. Offer another model first.',
    ]);
    await offer(['gpt-4'], true);
    const both = await Promise.all(['gpt-4', 'gpt-3.5-turbo'].map((model) => offer([model], false)));
    expect(both.toSorted()).toEqual([204, 409]);
    expect((await list()).providers[0].models.filter(({ offered }: { offered: boolean }) => offered)).toHaveLength(1);
  });

  it('needs models that are there', async () => {
    const models = ['gpt-4'];
    for (const body of [undefined, {}, { models }, { models: [], offered: true }, { models: [5], offered: false }])
      expect((await put(body)).status).toBe(400);
    for (const more of [{ offered: 'no' }, { more: 1 }, { reason: 'x'.repeat(501) }])
      expect((await put({ models, offered: false, ...more })).status).toBe(400);
    const many = Array.from({ length: MODELS_AT_ONCE + 1 }, (_, at) => `model-${at}`);
    expect((await put({ models: many, offered: false })).status).toBe(400);
    expect((await put({ models: ['gpt-9'], offered: false })).status).toBe(404);
    expect((await put({ models, offered: false }, 'nobody')).status).toBe(404);
    expect([(await me()).excludedModels, await acts()]).toEqual([[], []]);
  });

  it('works by command, too', async () => {
    const admin = (...args: string[]) => runAdminCommand(app.deps, args);
    expect((await admin('models')).message).toBe(`${name}\n  offered  gpt-3.5-turbo\n  offered  gpt-4`);
    expect(await admin('models-off', 'gpt-4', '--reason', 'dear')).toEqual({ ok: true, message: 'Taken away: gpt-4.' });
    expect(await admin('models-off', 'gpt-4')).toEqual({ ok: true, message: 'They were taken away already.' });
    expect((await admin('models')).message).toContain('  off      gpt-4');
    expect(await admin('models-off', 'gpt-3.5-turbo')).toMatchObject({ ok: false });
    expect(await admin('models-off', 'gpt-9')).toMatchObject({ ok: false, message: expect.stringContaining('gpt-9') });
    expect((await me()).excludedModels).toEqual(['gpt-4']);
    expect(await admin('models-on', 'gpt-4')).toEqual({ ok: true, message: 'Offered again: gpt-4.' });
    expect(await acts()).toEqual([
      ['models_offered', `${name}: gpt-4`, ''],
      ['models_taken_away', `${name}: gpt-4`, 'dear'],
    ]);
    for (const args of [['models', 'x'], ['models-off'], ['models-on']])
      expect(await admin(...args)).toMatchObject({ ok: false, message: expect.stringContaining('Usage:') });
  });
});
