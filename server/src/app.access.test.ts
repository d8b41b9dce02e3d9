import type { KeyScope } from '@atelier/contract/keys';
import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { requires } from './access.ts';
import { profiles, user } from './features/accounts/accounts.table.ts';
import {
  describeOperations,
  fillPath,
  furnishAll,
  keyHeaders,
  type RuledRoute,
  ruledRoutes,
} from './testing/every-route.ts';
import { ORIGIN, PASSWORD, type TestUser, testApp } from './testing/harness.ts';
import { sampleOf } from './testing/hostile-input.ts';
import { closing } from './testing/lifetimes.ts';
import { actsOf } from './testing/operator-acts.ts';
import { ageProofs } from './testing/ways-in.ts';

/** Somebody who may send a request: with a cookie, with an API key, or with nothing. */
interface Actor {
  name: string;
  headers: Record<string, string>;
  plan: 'free' | 'pro';
  /** False for those whom the server must not know any more. */
  isKnown: boolean;
  /** Runs this installation. */
  isOperator?: true;
  /** The scopes of the API key, for those who come with one. */
  scopes?: readonly KeyScope[];
}

/** What a change of the server's settings needs to be valid. */
const SETTINGS = { 'sign-up-domains': 'school.example', 'own-networks': '192.0.2.0/24' };

/** What a route must answer an actor: a refusal's status, or `in`. */
function expectedOf({ path, rule, keys }: RuledRoute, actor: Actor): 401 | 403 | 404 | 'in' {
  if (rule === 'public') return 'in';
  // Everybody but the operator is told that nothing is there.
  if (rule === 'operator') return actor.isOperator === true ? 'in' : 404;
  // A client of MCP would take 401 for a sign-in that it should begin.
  if (!actor.isKnown) return path.startsWith('/mcp/') && 'authorization' in actor.headers ? 403 : 401;
  if (actor.scopes !== undefined && (keys === 'none' || (keys !== 'any' && !actor.scopes.includes(keys)))) return 403;
  return rule === 'pro' && actor.plan === 'free' ? 403 : 'in';
}

const cookie = ({ cookie: value }: TestUser) => ({ cookie: value, origin: 'http://localhost' });

/** Everybody who might ask for something of the owner's. */
async function everybody(owner: TestUser): Promise<Actor[]> {
  const [other, banned, lapsed] = [await app.signUpPro('Eve'), await app.signUpPro('Ban'), await app.signUpPro('Lara')];
  const free = await app.signUp('Fred');
  await app.request('POST', '/api/agents', { as: owner, body: { name: 'Elsewhere', prompt: 'Be kind.' } });
  const keyOf = async (as: TestUser, name: string, scopes: KeyScope[], agentIds?: string[]): Promise<Actor> => {
    const headers = await keyHeaders(app, as, { scopes, ...(agentIds && { agentIds }) });
    return { name, headers, plan: 'pro', isKnown: true, scopes };
  };
  const actors: Actor[] = [
    { name: 'anonymous', headers: {}, plan: 'free', isKnown: false },
    { name: 'another', headers: cookie(other), plan: 'pro', isKnown: true },
    { name: 'free', headers: cookie(free), plan: 'free', isKnown: true },
    { name: 'disabled', headers: cookie(banned), plan: 'pro', isKnown: false },
    await keyOf(owner, 'key to read', ['read']),
    await keyOf(owner, 'key to talk', ['talk']),
    await keyOf(owner, 'key for both', ['read', 'talk']),
    await keyOf(owner, 'key of another agent', ['read', 'talk'], ['elsewhere']),
    await keyOf(other, 'key of another', ['read', 'talk']),
    { ...(await keyOf(lapsed, 'key of a lapsed account', ['read', 'talk'])), plan: 'free' },
    { ...(await keyOf(banned, 'key of a disabled account', ['read', 'talk'])), isKnown: false },
    { ...(await keyOf(owner, 'revoked key', ['read', 'talk'])), isKnown: false },
  ];
  const { keys } = await app.call(owner, 'GET', '/api/keys');
  await app.call(owner, 'DELETE', `/api/keys/${keys[0].id}`);
  await app.deps.db.update(user).set({ banned: true }).where(eq(user.id, banned.uid));
  await app.deps.db.update(profiles).set({ subscriptionStatus: 'free' }).where(eq(profiles.userId, lapsed.uid));
  return actors;
}

const ownerOf = (owner: TestUser): Actor => ({
  name: 'owner',
  headers: cookie(owner),
  plan: 'pro',
  isKnown: true,
  isOperator: true,
});

async function newOwner() {
  const made = await app.signUpPro('Ada');
  const things = await furnishAll(app, made);
  return { made, things: { ...things, model: things.agentId ?? '', accountId: made.uid } };
}

const app = await closing(testApp());
const { made: owner, things } = await newOwner();
const known: Record<string, string> = things;
const operations = await describeOperations(app);
const routes = ruledRoutes(app.app.routes);

/** Parameters that name what is the server's or the browser's: nothing of it is here. */
const ABSENT = ['file', 'jobId', 'kind', 'messageId', 'provider', 'server'];

/** The status of a valid request, and the code of a refusal; an answer without an end is not read. */
async function statusOf({ method, path }: RuledRoute, actor: Actor, things = known) {
  const named = path.replaceAll(/:(\w+)/gu, '{$1}');
  const operation = operations.find((one) => one.method === method && one.path === named);
  // `ids` are those of the list that the route is about.
  const values = path.startsWith('/api/sessions') ? { ...things, ids: things.sessionId ?? '' } : things;
  // Whom the server doesn't know is refused before anything is read.
  const body = actor.isKnown && operation?.body && JSON.stringify(sampleOf(operation.body, '', values));
  for (const [, name = ''] of named.matchAll(/\{(\w+)\}/gu)) {
    if (values[name] === undefined && !ABSENT.includes(name)) throw new Error(`nothing is furnished for ${named}`);
  }
  const response = await app.app.request(`${ORIGIN}${fillPath(named, values)}`, {
    method,
    headers: { ...actor.headers, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body } : {}),
  });
  const isRefused = response.status === 401 || response.status === 403;
  const code: unknown = isRefused ? JSON.parse(await response.text()).error?.code : undefined;
  if (!isRefused) await (path === '/api/live' ? response.body?.cancel() : response.arrayBuffer());
  return { status: response.status, code };
}

/** The code with which a refusal tells a person to sign in or to become Pro, and a program that its key doesn't count. */
function saidTo({ path }: RuledRoute, { scopes }: Actor, got: number | string) {
  if (got === 401) return path.startsWith('/v1/') ? 'invalid_api_key' : 'signed_out';
  return got === 403 && scopes === undefined ? 'pro_required' : undefined;
}

const shown = (status: number) => (status === 401 || status === 403 ? status : 'in');
/** These answer 403 to people whom the rule lets in: the password or the user in the body is not theirs, or a free account attaches. */
const OWN_REFUSALS = [
  'DELETE /api/me',
  'POST /api/runAgentTask',
  'POST /api/sessions/:sessionId/tasks',
  'POST /api/sessions/:sessionId/queue',
  ...['enable', 'disable', 'generate-backup-codes'].map((call) => `POST /api/auth/two-factor/${call}`),
  ...['link-social', 'keep-ways', 'passkey/generate-register-options'].map((call) => `POST /api/auth/${call}`),
];
const mayRefuse = ({ method, path }: RuledRoute) => OWN_REFUSALS.includes(`${method} ${path}`);

it('lets nobody in but whom the rule of each route names', async () => {
  const guarded = routes.filter(({ rule }) => rule !== 'public');
  expect(guarded.length).toBeGreaterThan(60);
  const wrong: unknown[] = [];
  for (const actor of await everybody(owner)) {
    for (const route of guarded) {
      const expected = expectedOf(route, actor);
      const { status, code } = await statusOf(route, actor);
      const got = route.rule === 'operator' ? status : shown(status);
      if (got === 403 && expected === 'in' && mayRefuse(route)) continue;
      const said = saidTo(route, actor, got) ?? code;
      if (got !== expected || code !== said)
        wrong.push([actor.name, route.method, route.path, got, code, 'instead of', expected, said]);
    }
  }
  expect(wrong).toEqual([]);
});

it('asks the operator for a proof before each act, and does nothing without it', async () => {
  const acts = routes.filter(
    // These change nothing.
    ({ method, path, rule }) => rule === 'operator' && method !== 'GET' && !/\/(?:probe|check)$/u.test(path),
  );
  expect(acts.length).toBeGreaterThan(14);
  const done = () => actsOf(app, owner, ({ id }) => id);
  const before = await done();
  await ageProofs(app);
  const wrong: unknown[] = [];
  for (const route of acts) {
    const { status, code } = await statusOf(route, ownerOf(owner), { ...known, ...SETTINGS });
    if (status !== 403 || code !== 'confirmation_needed') wrong.push([route.method, route.path, status, code]);
  }
  await app.call(owner, 'POST', '/api/auth/confirm-owner', { password: PASSWORD });
  expect([wrong, await done()]).toEqual([[], before]);
});

/** A path by the body of a request, or by its parameters, that leads nowhere for the owner either. */
const MISSING = [
  // Nothing was deleted.
  ...['sessions', 'sessions/:sessionId', 'sessions/:sessionId/tasks/:taskId'].map((of) => `POST /api/${of}/restore`),
  ...['sessions/:sessionId/queue/:queuedId', 'facts/:factId'].map((of) => `POST /api/${of}/restore`),
  // Passkeys, linked accounts and photos; copies; imports from other programs; payments.
  ...['unlink-account', 'passkey/update-passkey', 'passkey/delete-passkey'].map((call) => `POST /api/auth/${call}`),
  'GET /api/me/photo/:file',
  'POST /api/agents/:agentId/upstream',
  ...['GET', 'PUT'].map((method) => `${method} /api/imports/:importId/past`),
  'POST /api/imports/:importId/undo',
  'POST /api/billing/verify',
  'POST /api/sandbox/checkout/:accessCode',
  // The server has no messages, failed jobs, payments, providers and tool servers.
  ...['inbox/:messageId/answered', 'jobs/:kind/:jobId/retry'].map((act) => `POST /api/admin/${act}`),
  ...['payments/:reference/ask', 'providers/:provider/probe'].map((act) => `POST /api/admin/${act}`),
  'DELETE /api/admin/jobs/:kind/:jobId',
  'PUT /api/admin/providers/:provider/models',
  'POST /api/admin/tool-servers/:server/check',
];
/** What other routes take away. */
const FRAGILE = ['PATCH /api/facts/:factId'];

it('lets the owner in everywhere', async () => {
  const wrong: unknown[] = [];
  for (const route of routes.filter(({ rule }) => rule !== 'public')) {
    // What is deleted is somebody else's, who has nothing to do afterwards.
    const name = `${route.method} ${route.path}`;
    const isNew = route.method === 'DELETE' || FRAGILE.includes(name);
    const { made, things } = isNew ? await newOwner() : { made: owner, things: known };
    const { status } = await statusOf(route, ownerOf(route.rule === 'operator' ? owner : made), things);
    const isMissing = [404, 500].includes(status) !== MISSING.includes(name);
    if ((shown(status) !== 'in' && !mayRefuse(route)) || isMissing) wrong.push([route.method, route.path, status]);
  }
  expect(wrong).toEqual([]);
});

/** What one person may do with what is another's. */
const BY_BODY = [
  ...['/v1/chat/completions', '/v1/responses', '/api/runAgentTask', '/api/sessions'].map((path) => `POST ${path}`),
  ...['PATCH', 'DELETE'].map((method) => `${method} /api/sessions`),
];
const SHARED = [/^\/api\/explore\//u, /^\/api\/favorites\//u, /^\/api\/shared\//u];

it('answers 404 for what is another’s, for every kind of caller', async () => {
  // Whose things nobody has changed.
  const { made, things } = await newOwner();
  const others = (await everybody(made)).filter(({ name }) => /another/u.test(name));
  expect(others).toHaveLength(3);
  const private_ = routes.filter(
    ({ rule, path }) => rule !== 'public' && path.includes(':') && !SHARED.some((open) => open.test(path)),
  );
  expect(private_.length).toBeGreaterThan(30);
  const wrong: unknown[] = [];
  for (const actor of others) {
    for (const route of private_.filter((one) => expectedOf(one, actor) === 'in')) {
      const { status } = await statusOf(route, actor, things);
      if (status !== 404) wrong.push([actor.name, route.method, route.path, status]);
    }
    for (const route of routes.filter((one) => BY_BODY.includes(`${one.method} ${one.path}`))) {
      const { status } = await statusOf(route, actor, things);
      if (![400, 403, 404].includes(status)) wrong.push([actor.name, route.method, route.path, status]);
    }
  }
  expect(wrong).toEqual([]);
});

it('does not know what to expect of a route without a rule', () => {
  const handler = () => {};
  const forgotten = [...app.app.routes, { method: 'GET', path: '/api/forgotten', handler }];
  expect(() => ruledRoutes(forgotten)).toThrow('GET /api/forgotten has no access rule');
  const ruled = [...app.app.routes, { method: 'GET', path: '/api/forgotten', handler: requires('user') }];
  expect(ruledRoutes(ruled)).toContainEqual({ method: 'GET', path: '/api/forgotten', rule: 'user', keys: 'none' });
});
