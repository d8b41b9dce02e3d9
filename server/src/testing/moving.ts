import type { AccountImport } from '@atelier/contract/transfer/imports';
import { expect } from 'vitest';
import { eventually } from './eventually.ts';
import { sendFile } from './files.ts';
import { ORIGIN, type TestApp, type TestUser } from './harness.ts';
import { jobsEnd } from './jobs-end.ts';

/** What tests do with accounts that move from one installation to another. */
export function moving(app: () => TestApp) {
  const call: TestApp['call'] = (...asked) => app().call(...asked);

  /** An account with one of everything that moves. */
  async function fill(as: TestUser, sessions = 1) {
    const settings = { name: 'Field Notes', prompt: 'You keep notes.', tags: ['notes'], tools: ['calculator'] };
    await call(as, 'POST', '/api/agents', settings);
    await call(as, 'POST', '/api/agents', { name: 'Old', prompt: 'You go.' });
    for (let n = 0; n < sessions; n += 1) {
      const { session } = await call(as, 'POST', '/api/sessions', { agentId: 'field-notes', name: `Kiln ${n}` });
      const asked = { sessionId: session.id, agentId: 'field-notes', inputText: `My daughter is called Mia ${n}.` };
      await call(as, 'POST', '/api/runAgentTask', asked);
    }
    const { session } = await call(as, 'POST', '/api/sessions', { agentId: 'old', name: 'With a deleted agent' });
    await call(as, 'POST', '/api/runAgentTask', { sessionId: session.id, agentId: 'old', inputText: 'Hello there.' });
    await call(as, 'DELETE', '/api/agents/old');
    await call(as, 'POST', '/api/prompts', { name: 'Kiln log', text: 'How is the kiln in {{place}}?' });
    const kiln: [string, string] = ['kiln.txt', 'The kiln fires for 12 hours.'];
    const sent = await sendFile(app(), as, '/api/agents/field-notes/files', kiln);
    expect(sent.status).toBe(201);
    await jobsEnd(app());
    expect((await call(as, 'GET', '/api/memories?limit=200')).memories.length).toBeGreaterThanOrEqual(sessions);
    expect((await call(as, 'GET', '/api/facts')).facts.length).toBeGreaterThanOrEqual(1);
  }

  async function archiveOf(as: TestUser): Promise<Uint8Array> {
    const response = await app().app.request(`${ORIGIN}/api/export`, { headers: { cookie: as.cookie } });
    return new Uint8Array(await response.arrayBuffer());
  }

  const upload = (as: TestUser, data: Uint8Array) => sendFile(app(), as, '/api/imports', ['archive.zip', data]);
  const latest = async (as: TestUser) => (await call(as, 'GET', '/api/imports')).import;

  async function ended(as: TestUser) {
    await eventually(async () => expect((await latest(as)).state).not.toBe('running'));
    return latest(as);
  }

  /** Uploads, begins and waits for the end. */
  async function importInto(as: TestUser, data: Uint8Array) {
    const { status, body } = await upload(as, data);
    expect([status, body.error?.message]).toEqual([201, undefined]);
    await call(as, 'POST', `/api/imports/${body.import.id}/start`);
    return ended(as);
  }

  /** What a person sees of their account, without what differs by time and place. */
  async function view(as: TestUser) {
    const { agents } = await call(as, 'GET', '/api/agents');
    const { sessions } = await call(as, 'GET', '/api/sessions');
    const exchanges = [];
    for (const session of sessions) {
      const { tasks: found } = await call(as, 'GET', `/api/sessions/${session.id}/tasks`);
      for (const task of found) exchanges.push([session.name, session.agentDeleted, task.inputText, task.message]);
    }
    const { memories } = await call(as, 'GET', '/api/memories?limit=200');
    const { facts } = await call(as, 'GET', '/api/facts');
    const { files } = await call(as, 'GET', '/api/agents/field-notes/files');
    const { prompts } = await call(as, 'GET', '/api/prompts');
    const pick = (rows: Record<string, unknown>[], ...names: string[]) =>
      rows.map((row) => names.map((name) => row[name]));
    return {
      prompts: pick(prompts, 'name', 'text'),
      agents: pick(agents, 'name', 'prompt', 'tags'),
      exchanges,
      memories: pick(memories, 'sessionName', 'kind', 'text'),
      facts: facts.map((fact: Record<string, unknown>) => [fact.text, fact.about, fact.replacedBy !== undefined]),
      files: pick(files, 'name', 'size'),
    };
  }

  return { call, fill, archiveOf, upload, ended, importInto, view };
}

/** How many of each kind were found, imported, already there and left out. */
export const countsOf = ({ counts }: AccountImport) =>
  Object.fromEntries(
    counts.map(({ kind, found, imported, present, left }) => [kind, [found, imported, present, left]]),
  );
