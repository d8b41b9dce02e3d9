import { queuedMessages } from '../features/queue/queue.table.ts';
import { changeSettings } from '../features/settings/settings.service.ts';
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

/** A route's path with each parameter's value, or an unknown id. */
export const fillPath = (path: string, values: Record<string, string>) =>
  path.replaceAll(/\{(\w+)\}/gu, (_, name: string) => values[name] ?? '00000000-0000-7000-8000-000000000000');
