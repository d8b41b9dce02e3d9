import { eq } from 'drizzle-orm';
import { expect } from 'vitest';
import { passkeys, verification } from '../features/accounts/accounts.identity.table.ts';
import { suspendedWays } from '../features/accounts/accounts.suspension.table.ts';
import { paymentEvents, payments } from '../features/billing/billing.table.ts';
import { namedSessions } from '../features/endpoints/endpoints.table.ts';
import { facts } from '../features/facts/facts.table.ts';
import { mcpServers } from '../features/mcp/mcp.table.ts';
import { memories } from '../features/memory/memory.table.ts';
import { toolGrants, toolMedia } from '../features/runs/runs.table.ts';
import { summaries } from '../features/runs/summary.table.ts';
import { furnish } from './every-route.ts';
import { sendFile } from './files.ts';
import type { TestApp, TestUser } from './harness.ts';

export const MEDIA = '01a20693-4c5e-7591-981b-005d7c1e3616';
/** A Pro user with something in every table, and somebody who has to do with them. */
export async function fullAccount(app: TestApp) {
  const post = (as: TestUser, path: string, body?: unknown) => app.call(as, 'POST', path, body);
  const owner = await app.signUpByRequest('Ada Lovelace');
  await app.grantPro(owner.uid);
  const fan = await app.signUpByRequest('Fan');
  const { sessionId = '', folderId, taskId = '' } = await furnish(app, owner);
  await app.grantPro(fan.uid);
  await post(fan, '/api/agents', { name: 'Other', prompt: 'You keep notes.', tags: ['notes'], isPublic: true });
  await app.request('PUT', `/api/favorites/${owner.uid}/field-notes`, { as: fan });
  await app.request('PUT', `/api/favorites/${fan.uid}/other`, { as: owner });
  await post(owner, `/api/explore/${fan.uid}/other/report`, { kind: 'spam', words: 'It advertises.' });
  await post(fan, `/api/explore/${owner.uid}/field-notes/report`, { kind: 'other' });
  await post(fan, `/api/explore/${owner.uid}/field-notes/copy`);
  await app.request('PATCH', `/api/sessions/${sessionId}`, { as: owner, body: { folderId } });
  await app.request('PUT', '/api/facts/settings', { as: owner, body: { distil: true } });
  const files: [path: string, name: string, text: string][] = [
    ['/api/agents/field-notes/files', 'schedule.txt', 'Firing schedule of the kiln: 12 hours.'],
    [`/api/sessions/${sessionId}/attachments`, 'glaze.txt', 'Glaze of the kiln: celadon.'],
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
  const summary = { userId: owner.uid, sessionId, text: 'About a kiln.', kind: 'extractive' } as const;
  await db.insert(summaries).values({ ...summary, until: new Date(), exchanges: 1 });
  await db.insert(toolGrants).values({ userId: owner.uid, sessionId, tool: 'fetch' });
  const server = { userId: owner.uid, name: 'Mine', url: 'https://tools.example', tools: [] };
  await db.insert(mcpServers).values({ ...server, id: crypto.randomUUID(), key: 'mine', secrets: 'secret-code' });
  // As if a tool had answered.
  const drawn = { id: MEDIA, taskId, type: 'image/svg+xml', bytes: Buffer.from('<svg>a kiln</svg>') };
  await db.insert(toolMedia).values({ userId: owner.uid, ...drawn });
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
  const named = { userId: owner.uid, agentId: said.agentId, name: 'id:cron' };
  await db.insert(namedSessions).values({ ...named, sessionId });
  const code = { identifier: `reset-password:${owner.email}`, value: owner.uid, expiresAt: new Date() };
  await db.insert(verification).values({ ...code, id: 'code-1' });
  return { owner, fan, sessionId };
}
