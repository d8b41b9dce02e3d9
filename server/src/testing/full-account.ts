import { eq } from 'drizzle-orm';
import { expect } from 'vitest';
import { passkeys, verification } from '../features/accounts/accounts.identity.table.ts';
import { suspendedWays } from '../features/accounts/accounts.suspension.table.ts';
import { paymentEvents, payments } from '../features/billing/billing.table.ts';
import { namedSessions } from '../features/endpoints/endpoints.table.ts';
import { facts } from '../features/facts/facts.table.ts';
import { mcpServers } from '../features/mcp/mcp.table.ts';
import { memories } from '../features/memory/memory.table.ts';
import { queuedMessages } from '../features/queue/queue.table.ts';
import { tasks, toolGrants, toolMedia } from '../features/runs/runs.table.ts';
import { summaries } from '../features/runs/summary.table.ts';
import { changeSettings } from '../features/settings/settings.service.ts';
import { eventually } from './eventually.ts';
import { sendFile } from './files.ts';
import type { TestApp, TestUser } from './harness.ts';

export const MEDIA = '01a20693-4c5e-7591-981b-005d7c1e3616';
/** A Pro user with something in every table, and somebody who has to do with them. */
export async function fullAccount(app: TestApp) {
  const post = (as: TestUser, path: string, body?: unknown) => app.call(as, 'POST', path, body);
  const owner = await app.signUpPro('Ada Lovelace');
  const fan = await app.signUp('Fan');
  const settings = { name: 'Field Notes', prompt: 'You keep notes.', tags: ['notes'], isPublic: true };
  await post(owner, '/api/agents', settings);
  await app.grantPro(fan.uid);
  await post(fan, '/api/agents', { ...settings, name: 'Other' });
  await app.request('PUT', `/api/favorites/${owner.uid}/field-notes`, { as: fan });
  await app.request('PUT', `/api/favorites/${fan.uid}/other`, { as: owner });
  await post(owner, `/api/explore/${fan.uid}/other/report`, { kind: 'spam', words: 'It advertises.' });
  await post(fan, `/api/explore/${owner.uid}/field-notes/report`, { kind: 'other' });
  await post(fan, `/api/explore/${owner.uid}/field-notes/copy`);
  const { session } = await post(owner, '/api/sessions', { agentId: 'field-notes' });
  const { folder } = await post(owner, '/api/folders', { name: 'About the kiln' });
  await app.request('PATCH', `/api/sessions/${session.id}`, { as: owner, body: { folderId: folder.id } });
  const start = { agentId: 'field-notes', inputText: 'The kiln stands in the north shed.' };
  await post(owner, `/api/sessions/${session.id}/tasks`, start);
  await app.request('PUT', '/api/facts/settings', { as: owner, body: { distil: true } });
  await eventually(async () => {
    const { body } = await app.request('GET', `/api/sessions/${session.id}/tasks`, { as: owner });
    expect(body.tasks[0].status).toBe('done');
  });
  const files: [path: string, name: string, text: string][] = [
    ['/api/agents/field-notes/files', 'schedule.txt', 'Firing schedule of the kiln: 12 hours.'],
    [`/api/sessions/${session.id}/attachments`, 'glaze.txt', 'Glaze of the kiln: celadon.'],
  ];
  for (const [path, ...file] of files) expect((await sendFile(app, owner, path, file)).status).toBe(201);
  const gone = await post(owner, '/api/sessions', { agentId: 'field-notes' });
  await app.request('DELETE', `/api/sessions/${gone.session.id}`, { as: owner });
  await post(owner, '/api/contact', { message: 'Where is my kiln?' });
  const { db } = app.deps;
  const sandbox = { provider: 'sandbox', mode: 'sandbox' } as const;
  const payment = { userId: owner.uid, reference: 'ref-1', ...sandbox, state: 'abandoned' } as const;
  await db.insert(payments).values({ ...payment, amount: 27_500, currency: 'ZAR', checkoutToken: 'secret-code' });
  const event = { userId: owner.uid, reference: 'ref-1', entry: 'open', source: 'checkout' } as const;
  await db.insert(paymentEvents).values({ ...event, id: crypto.randomUUID() });
  const [said] = await db.select().from(memories).where(eq(memories.userId, owner.uid));
  if (said === undefined) throw new Error('nothing is remembered');
  const fact = { userId: owner.uid, agentId: said.agentId, memoryId: said.id, about: 'Shared', statement: 'hash' };
  await db.insert(facts).values({ ...fact, id: crypto.randomUUID(), text: 'The kiln stands in the north shed' });
  const summary = { userId: owner.uid, sessionId: session.id, text: 'About a kiln.', kind: 'extractive' } as const;
  await db.insert(summaries).values({ ...summary, until: new Date(), exchanges: 1 });
  await db.insert(toolGrants).values({ userId: owner.uid, sessionId: session.id, tool: 'fetch' });
  const server = { userId: owner.uid, name: 'Mine', url: 'https://tools.example', tools: [] };
  await db.insert(mcpServers).values({ ...server, id: crypto.randomUUID(), key: 'mine', secrets: 'secret-code' });
  const [task] = await db.select().from(tasks).where(eq(tasks.userId, owner.uid));
  // As if a tool had answered it.
  const drawn = { id: MEDIA, taskId: task?.id ?? '', type: 'image/svg+xml', bytes: Buffer.from('<svg>a kiln</svg>') };
  await db.insert(toolMedia).values({ userId: owner.uid, ...drawn });
  await post(owner, `/api/sessions/${session.id}/shares`, {});
  await post(owner, '/api/keys', { name: 'Cron job' });
  const passkey = {
    userId: owner.uid,
    id: 'passkey-1',
    name: 'Phone',
    publicKey: 'secret-code',
    credentialID: 'credential-1',
  };
  await db.insert(passkeys).values({ ...passkey, counter: 0, deviceType: 'singleDevice', backedUp: false });
  const suspended = { userId: owner.uid, id: crypto.randomUUID(), kind: 'passkey' as const, name: 'Old phone' };
  await db.insert(suspendedWays).values({ ...suspended, row: { public_key: 'secret-code' } });
  await changeSettings(app.deps, { 'member-invitations': 1 });
  await post(owner, '/api/invitations', {});
  await post(owner, '/api/prompts', { name: 'Kiln log', text: 'How is the kiln in {{place}}?' });
  const queued = { userId: owner.uid, sessionId: session.id, id: crypto.randomUUID(), inputText: 'And the kiln?' };
  await db.insert(queuedMessages).values({ ...queued, reason: 'Paused.' });
  const named = { userId: owner.uid, agentId: said.agentId, name: 'id:cron' };
  await db.insert(namedSessions).values({ ...named, sessionId: session.id });
  const code = { identifier: `reset-password:${owner.email}`, value: owner.uid, expiresAt: new Date() };
  await db.insert(verification).values({ ...code, id: 'code-1' });
  return { owner, fan, sessionId: String(session.id) };
}
