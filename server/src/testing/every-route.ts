import type { AccessRule, KeyRule } from '@atelier/contract/calls';
import { eq } from 'drizzle-orm';
import { expect } from 'vitest';
import { declaredKeys, declaredRule } from '../access.ts';
import { passkeys, suspendedWays, verification } from '../features/accounts/accounts.identity.table.ts';
import { paymentEvents, payments } from '../features/billing/billing.table.ts';
import { namedSessions } from '../features/endpoints/endpoints.table.ts';
import { facts } from '../features/facts/facts.table.ts';
import { mcpServers } from '../features/mcp/mcp.table.ts';
import { memories } from '../features/memory/memory.table.ts';
import { queuedMessages } from '../features/queue/queue.table.ts';
import { summaries, toolGrants, toolMedia } from '../features/runs/runs.table.ts';
import { changeSettings } from '../features/settings/settings.service.ts';
import { accountImports } from '../features/transfer/imports.table.ts';
import { sendFile } from './files.ts';
import type { TestApp, TestUser } from './harness.ts';
import type { Schema } from './hostile-input.ts';

/** A route with its parameters. */
export interface Operation {
  method: string;
  path: string;
  query: { name: string; schema: Schema }[];
  body: Schema | undefined;
}

/**
 * Creates something of the user at every address, so that a request reaches the services and not only access control: ids and values by
 * name.
 */
export async function furnish(app: TestApp, user: TestUser): Promise<Record<string, string>> {
  const post = async (path: string, body?: unknown) => (await app.request('POST', path, { as: user, body })).body;
  const settings = { name: 'Field Notes', prompt: 'You keep notes.', tags: ['notes'], isPublic: true };
  const { agent } = await post('/api/agents', settings);
  const { session } = await post('/api/sessions', { agentId: agent.id });
  const asked = { sessionId: session.id, agentId: agent.id, inputText: 'The kiln stands in the north shed.' };
  const { task } = await post('/api/runAgentTask', asked);
  const { folder } = await post('/api/folders', { name: 'About the kiln' });
  const { share } = await post(`/api/sessions/${session.id}/shares`, {});
  const { key } = await post('/api/keys', { name: 'Cron job' });
  await changeSettings(app.deps, { 'member-invitations': 20 });
  const { invitation } = await post('/api/invitations', {});
  const { prompt } = await post('/api/prompts', { name: 'Kiln log', text: 'How is the kiln in {{place}}?' });
  const queuedId = crypto.randomUUID();
  // Paused, or it would be sent at once.
  const queued = { userId: user.uid, sessionId: session.id, id: queuedId, inputText: 'And the kiln?' };
  await app.deps.db.insert(queuedMessages).values({ ...queued, reason: 'Paused.' });
  const { memories } = (await app.request('GET', '/api/memories', { as: user })).body;
  return {
    agentId: agent.id,
    creatorId: user.uid,
    userId: user.uid,
    sessionId: session.id,
    folderId: folder.id,
    format: 'json',
    taskId: task.id,
    memoryId: memories[0].id,
    ids: memories[0].id,
    without: memories[0].id,
    inputText: 'Where is my kiln?',
    keyId: key.id,
    shareId: share.id,
    timeZone: 'UTC',
    invitationId: invitation.id,
    promptId: prompt.id,
    queuedId,
    scopes: 'read',
    role: 'user',
    model: 'gpt-4',
    email: 'ada@example.com',
    url: 'http://127.0.0.1:9/mcp',
    reference: 'atelier-1',
    accessCode: 'code',
  };
}

export const MEDIA = '01a20693-4c5e-7591-981b-005d7c1e3616';

/** The same with what is uploaded, and what comes of answers, jobs and other servers; for a Pro user. */
export async function furnishAll(app: TestApp, user: TestUser): Promise<Record<string, string>> {
  const things = await furnish(app, user);
  const { agentId = '', sessionId = '', taskId = '', memoryId = '' } = things;
  const upload = async (path: string, ...file: [name: string, text: string]) => {
    const { status, body } = await sendFile(app, user, path, file);
    expect(status).toBe(201);
    return body;
  };
  const { file } = await upload(
    `/api/agents/${agentId}/files`,
    'schedule.txt',
    'Firing schedule of the kiln: 12 hours.',
  );
  const glaze = 'Glaze of the kiln: celadon.';
  const { attachment } = await upload(`/api/sessions/${sessionId}/attachments`, 'glaze.txt', glaze);
  const { shares } = await app.call(user, 'GET', `/api/sessions/${sessionId}/shares`);
  const { db } = app.deps;
  const own = (id: string) => ({ userId: user.uid, id });
  const [factId, serverId, importId] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()];
  const [said] = await db.select().from(memories).where(eq(memories.id, memoryId));
  if (said === undefined) throw new Error('nothing is remembered');
  const fact = { agentId: said.agentId, memoryId: said.id, about: 'Shared', statement: 'hash' };
  await db.insert(facts).values({ ...own(factId), ...fact, text: 'The kiln stands in the north shed' });
  // An address that is refused before anything is sent there.
  const server = { key: serverId, name: 'Mine', url: 'http://127.0.0.1:9/mcp', secrets: 'secret-code', tools: [] };
  await db.insert(mcpServers).values({ ...own(serverId), ...server });
  // As if a tool had answered.
  const drawn = { taskId, type: 'image/svg+xml', bytes: Buffer.from('<svg>a kiln</svg>') };
  await db.insert(toolMedia).values({ ...own(MEDIA), ...drawn });
  const archive = { state: 'done' as const, fileName: 'archive.zip', madeAt: new Date(), agentNames: [], counts: [] };
  await db.insert(accountImports).values({ ...own(importId), ...archive });
  const ids = { fileId: file.id, attachmentId: attachment.id, token: shares[0].token };
  return { ...things, ...ids, mediaId: MEDIA, factId, serverId, importId };
}

/** The routes in the API description. */
export async function describeOperations(app: TestApp): Promise<Operation[]> {
  const { paths } = (await app.request('GET', '/api/openapi.json')).body;
  return Object.entries<Record<string, unknown>>(paths).flatMap(([path, methods]) =>
    Object.entries<ReturnType<typeof JSON.parse>>(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      query: (operation.parameters ?? []).filter((p: { in: string }) => p.in === 'query'),
      body: operation.requestBody?.content['application/json']?.schema,
    })),
  );
}

/** A route as the app knows it, with what it declares. */
export interface RuledRoute {
  method: string;
  path: string;
  rule: AccessRule;
  keys: KeyRule;
}

type Route = { method: string; path: string; handler: object };

/** The declared rule of every route, and of addresses that nothing is at; throws where there is none. */
export function ruledRoutes(routes: readonly Route[]): RuledRoute[] {
  const ours = routes.filter(({ path }) => !path.endsWith('*') || path === '/api/*');
  return [...Map.groupBy(ours, ({ method, path }) => `${method} ${path}`)].map(([name, handlers]) => {
    const [method = '', path = ''] = name.split(' ');
    const ruled = handlers.find(({ handler }) => declaredRule(handler) !== undefined);
    const rule = ruled && declaredRule(ruled.handler);
    if (ruled === undefined || rule === undefined) throw new Error(`${name} has no access rule`);
    return { method, path, rule, keys: declaredKeys(ruled.handler) ?? 'none' };
  });
}

/** A route's path with each parameter's value, or an unknown id. */
export const fillPath = (path: string, values: Record<string, string>) =>
  path.replaceAll(/\{(\w+)\}/gu, (_, name: string) => values[name] ?? '00000000-0000-7000-8000-000000000000');

/** A Pro user with something in every table, and somebody who has to do with them. */
export async function fullAccount(app: TestApp) {
  const post = (as: TestUser, path: string, body?: unknown) => app.call(as, 'POST', path, body);
  const owner = await app.signUpByRequest('Ada Lovelace');
  await app.grantPro(owner.uid);
  const fan = await app.signUpByRequest('Fan');
  const { sessionId = '', folderId, memoryId = '' } = await furnishAll(app, owner);
  await app.grantPro(fan.uid);
  await post(fan, '/api/agents', { name: 'Other', prompt: 'You keep notes.', tags: ['notes'], isPublic: true });
  await app.request('PUT', `/api/favorites/${owner.uid}/field-notes`, { as: fan });
  await app.request('PUT', `/api/favorites/${fan.uid}/other`, { as: owner });
  await post(owner, `/api/explore/${fan.uid}/other/report`, { kind: 'spam', words: 'It advertises.' });
  await post(fan, `/api/explore/${owner.uid}/field-notes/report`, { kind: 'other' });
  await post(fan, `/api/explore/${owner.uid}/field-notes/copy`);
  await app.request('PATCH', `/api/sessions/${sessionId}`, { as: owner, body: { folderId } });
  await app.request('PUT', '/api/facts/settings', { as: owner, body: { distil: true } });
  const gone = await post(owner, '/api/sessions', { agentId: 'field-notes' });
  await app.request('DELETE', `/api/sessions/${gone.session.id}`, { as: owner });
  await post(owner, '/api/contact', { message: 'Where is my kiln?' });
  const { db } = app.deps;
  const sandbox = { provider: 'sandbox', mode: 'sandbox' } as const;
  const payment = { userId: owner.uid, reference: 'ref-1', ...sandbox, state: 'abandoned' } as const;
  await db.insert(payments).values({ ...payment, amount: 27_500, currency: 'ZAR', checkoutToken: 'secret-code' });
  const event = { userId: owner.uid, reference: 'ref-1', entry: 'open', source: 'checkout' } as const;
  await db.insert(paymentEvents).values({ ...event, id: crypto.randomUUID() });
  const summary = { userId: owner.uid, sessionId, text: 'About a kiln.', kind: 'extractive' } as const;
  await db.insert(summaries).values({ ...summary, until: new Date(), exchanges: 1 });
  await db.insert(toolGrants).values({ userId: owner.uid, sessionId, tool: 'fetch' });
  const passkey = { userId: owner.uid, id: 'passkey-1', name: 'Phone', publicKey: 'secret-code', backedUp: false };
  const device = { credentialID: 'credential-1', counter: 0, deviceType: 'singleDevice' };
  await db.insert(passkeys).values({ ...passkey, ...device });
  const suspended = { userId: owner.uid, id: crypto.randomUUID(), kind: 'passkey' as const, name: 'Old phone' };
  await db.insert(suspendedWays).values({ ...suspended, row: { public_key: 'secret-code' } });
  const [said] = await db.select().from(memories).where(eq(memories.id, memoryId));
  const named = { userId: owner.uid, agentId: said?.agentId ?? '', name: 'id:cron' };
  await db.insert(namedSessions).values({ ...named, sessionId });
  const code = { identifier: `reset-password:${owner.email}`, value: owner.uid, expiresAt: new Date() };
  await db.insert(verification).values({ ...code, id: 'code-1' });
  return { owner, fan, sessionId };
}

/** An API key of the user, as a header. */
export async function keyHeaders(app: TestApp, as: TestUser, wish: object = {}): Promise<Record<string, string>> {
  const { body } = await app.request('POST', '/api/keys', { as, body: { name: 'Key', ...wish } });
  return { authorization: `Bearer ${body.key.secret}` };
}
