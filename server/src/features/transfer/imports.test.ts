import type { AccountImport } from '@atelier/contract/imports';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { ORIGIN, type TestApp, type TestUser, testApp } from '../../testing/harness.ts';
import { tasks } from '../runs/runs.table.ts';
import { isImport } from './imports.service.ts';
import { accountImports } from './imports.table.ts';
import { runImport } from './run-import.service.ts';

let app: TestApp;
let there: TestUser;
beforeAll(async () => {
  app = await testApp({ env: { FACTS: 'rules' } });
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.reset();
  there = await app.signUp('Ada there');
  await app.grantPro(there.uid);
});
afterEach(() => vi.restoreAllMocks());

const call = async (as: TestUser, method: string, path: string, body?: unknown) => {
  const answer = await app.request(method, path, { as, body });
  if (answer.status >= 300) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body;
};

async function send(as: TestUser, path: string, name: string, data: Uint8Array) {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(data)]), name);
  const headers = { origin: ORIGIN, cookie: as.cookie };
  const response = await app.app.request(`${ORIGIN}${path}`, { method: 'POST', headers, body: form });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

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
  const sent = await send(as, '/api/agents/field-notes/files', 'kiln.txt', Buffer.from('The kiln fires for 12 hours.'));
  expect(sent.status).toBe(201);
  await eventually(async () => {
    const { memories: found } = await call(as, 'GET', '/api/memories?limit=200');
    expect(found.length).toBeGreaterThanOrEqual(sessions);
    const { facts } = await call(as, 'GET', '/api/facts');
    expect(facts.length).toBeGreaterThanOrEqual(1);
  });
}

async function archiveOf(as: TestUser): Promise<Uint8Array> {
  const response = await app.app.request(`${ORIGIN}/api/export`, { headers: { cookie: as.cookie } });
  return new Uint8Array(await response.arrayBuffer());
}

const upload = (as: TestUser, data: Uint8Array) => send(as, '/api/imports', 'archive.zip', data);
const latest = async (as: TestUser) => (await call(as, 'GET', '/api/imports')).import;

async function ended(as: TestUser) {
  await eventually(async () => expect((await latest(as)).state).not.toBe('running'), 60_000);
  return latest(as);
}

/** Uploads, begins and waits for the end. */
async function importInto(as: TestUser, data: Uint8Array) {
  const { status, body } = await upload(as, data);
  expect([status, body.error?.message]).toEqual([201, undefined]);
  await call(as, 'POST', `/api/imports/${body.import.id}/start`);
  return ended(as);
}

const countsOf = ({ counts }: AccountImport) =>
  Object.fromEntries(
    counts.map(({ kind, found, imported, present, left }) => [kind, [found, imported, present, left]]),
  );

/** What a person sees of their account, without what differs by time and place. */
async function view(as: TestUser) {
  const { agents } = await call(as, 'GET', '/api/agents');
  const { sessions } = await call(as, 'GET', '/api/sessions');
  const exchanges = [];
  for (const session of sessions) {
    const { tasks: found } = await call(as, 'GET', `/api/sessions/${session.id}/tasks`);
    for (const task of found) exchanges.push([session.name, session.agentDeleted, task.inputText, task.message]);
  }
  const remembered = await call(as, 'GET', '/api/memories?limit=200');
  const { facts } = await call(as, 'GET', '/api/facts');
  const { files } = await call(as, 'GET', '/api/agents/field-notes/files');
  const { prompts } = await call(as, 'GET', '/api/prompts');
  return {
    prompts: prompts.map(({ name, text }: Record<string, unknown>) => [name, text]),
    agents: agents.map(({ name, prompt, tags }: Record<string, unknown>) => ({ name, prompt, tags })),
    exchanges,
    memories: remembered.memories.map((memory: Record<string, unknown>) => [
      memory.sessionName,
      memory.kind,
      memory.text,
    ]),
    facts: facts.map((fact: Record<string, unknown>) => [fact.text, fact.about, fact.replacedBy !== undefined]),
    files: files.map((file: Record<string, unknown>) => [file.name, file.size]),
  };
}

describe('an account that moves', () => {
  it('arrives with agents, sessions, exchanges, memories, facts and files; a preview first, a report at the end', async () => {
    await fill(there);
    const archive = await archiveOf(there);
    const here = await app.signUp('Ada here');
    await app.grantPro(here.uid);
    const preview = await upload(here, archive);
    expect(preview.body.import).toMatchObject({ state: 'ready', fileName: 'archive.zip', agentNames: ['Field Notes'] });
    expect((await call(here, 'GET', '/api/agents')).agents).toEqual([]);

    await call(here, 'POST', `/api/imports/${preview.body.import.id}/start`);
    const report = await ended(here);
    expect([report.state, report.error]).toEqual(['done', undefined]);
    for (const { kind, found, imported, present, left } of report.counts) {
      expect([kind, imported, present, left]).toEqual([kind, found, 0, 0]);
    }
    expect(report.notes).toEqual(['Field Notes: The file uses these tools, turn on what you trust: calculator.']);
    expect(await view(here)).toEqual(await view(there));
    const { agents } = await call(here, 'GET', '/api/agents');
    expect(agents[0]).toMatchObject({ creatorId: here.uid, isPublic: false, tools: [], favoriteCount: 0 });
    await eventually(async () => {
      const { files } = await call(here, 'GET', '/api/agents/field-notes/files');
      expect(files).toMatchObject([{ name: 'kiln.txt', state: 'ready' }]);
    });
    // What came is recalled, and counts as other people's words.
    const { session } = await call(here, 'POST', '/api/sessions', { agentId: 'field-notes' });
    const asked = { sessionId: session.id, agentId: 'field-notes', inputText: 'What is my daughter called?' };
    expect((await call(here, 'POST', '/api/runAgentTask', asked)).memoryUsed).toContain('Mia 0');
    const stored = await app.deps.db.select().from(tasks).where(eq(tasks.userId, here.uid));
    expect(stored.filter((task) => task.sessionId !== session.id).every((task) => task.readUntrusted)).toBe(true);
    expect((await call(here, 'GET', '/api/me')).usage).toEqual({ messageCount: 1, taskCount: 1, sessionCount: 3 });
  });

  it('does not double: not the second time, not in the account that it came from', async () => {
    await fill(there);
    const archive = await archiveOf(there);
    const before = await view(there);
    const back = await importInto(there, archive);
    for (const { kind, found, imported, present } of back.counts)
      expect([kind, imported, present]).toEqual([kind, 0, found]);
    expect(await view(there)).toEqual(before);

    const here = await app.signUp();
    await app.grantPro(here.uid);
    await importInto(here, archive);
    const once = await view(here);
    const again = await importInto(here, archive);
    for (const { kind, found, imported, present } of again.counts)
      expect([kind, imported, present]).toEqual([kind, 0, found]);
    expect(await view(here)).toEqual(once);
    expect((await call(here, 'GET', '/api/me')).usage.sessionCount).toBe(2);
  });

  it('brings folders, pins and the archive over, into a folder of the same name if there is one', async () => {
    await call(there, 'POST', '/api/agents', { name: 'Field Notes', prompt: 'You keep notes.' });
    const { folder } = await call(there, 'POST', '/api/folders', { name: 'Trips' });
    await call(there, 'POST', '/api/folders', { name: 'Empty' });
    for (const change of [{ pinned: true, folderId: folder.id }, { archived: true }]) {
      const { session } = await call(there, 'POST', '/api/sessions', { agentId: 'field-notes' });
      await call(there, 'PATCH', `/api/sessions/${session.id}`, change);
    }
    const here = await app.signUp('Ada here');
    const own = await call(here, 'POST', '/api/folders', { name: 'trips' });
    expect((await importInto(here, await archiveOf(there))).state).toBe('done');
    const { folders } = await call(here, 'GET', '/api/folders');
    expect(folders.map((f: { name: string; sessionCount: number }) => [f.name, f.sessionCount])).toEqual([
      ['Empty', 0],
      ['trips', 1],
    ]);
    const { sessions } = await call(here, 'GET', '/api/sessions');
    expect(sessions).toMatchObject([{ pinned: true, archived: false, folderId: own.folder.id }]);
    expect((await call(here, 'GET', '/api/sessions?archived=true')).sessions).toHaveLength(1);
  });

  it('brings an agent back that was deleted, with its memories, and leaves forgotten what was forgotten', async () => {
    await fill(there, 2);
    const archive = await archiveOf(there);
    const [first] = (await call(there, 'GET', '/api/memories?q=Mia+1')).memories;
    await call(there, 'DELETE', `/api/memories/${first.id}`);
    const kept = await view(there);
    await importInto(there, archive);
    expect((await view(there)).memories).toEqual(kept.memories);
    await call(there, 'DELETE', '/api/agents/field-notes');
    const report = await importInto(there, archive);
    expect(countsOf(report)).toMatchObject({ agents: [1, 1, 0, 0], files: [1, 1, 0, 0] });
    const { memories: found } = await call(there, 'GET', '/api/memories?agentId=field-notes&limit=200');
    expect(found.length).toBeGreaterThan(0);
  });

  it('takes another name where the agent’s own is taken, and says so', async () => {
    await fill(there);
    const here = await app.signUp();
    await app.grantPro(here.uid);
    await call(here, 'POST', '/api/agents', { name: 'Field Notes', prompt: 'Mine.' });
    const report = await importInto(here, await archiveOf(there));
    expect(report.notes).toContain('“Field Notes” was taken, so the agent is called “Field Notes (2)”.');
    const { agents } = await call(here, 'GET', '/api/agents');
    expect(agents.map((agent: { name: string }) => agent.name).toSorted()).toEqual(['Field Notes', 'Field Notes (2)']);
  });

  it('keeps a free account’s limits, and brings the rest once it is Pro', async () => {
    await fill(there, 4);
    const archive = await archiveOf(there);
    const here = await app.signUp();
    const report = await importInto(here, archive);
    expect([report.state, report.error]).toEqual(['done', undefined]);
    expect(countsOf(report)).toMatchObject({ sessions: [5, 3, 0, 2], files: [1, 0, 0, 1] });
    expect(report.notes.join(' ')).toContain('Free accounts are limited to 3 sessions');
    expect(report.notes.join(' ')).toContain('Files are for Pro accounts');
    expect(await call(here, 'GET', '/api/me')).toMatchObject({
      account: { subscriptionStatus: 'free' },
      usage: { sessionCount: 3, messageCount: 0 },
    });
    expect((await app.request('POST', '/api/sessions', { as: here, body: { agentId: 'field-notes' } })).status).toBe(
      402,
    );
    await app.grantPro(here.uid);
    const rest = await importInto(here, archive);
    expect(countsOf(rest)).toMatchObject({ sessions: [5, 2, 3, 0], files: [1, 1, 0, 0] });
    expect(await view(here)).toEqual(await view(there));
  });
});

describe('an import that is interrupted', () => {
  it('says what came over, and goes on from there', async () => {
    await fill(there);
    const here = await app.signUp();
    await app.grantPro(here.uid);
    const { body } = await upload(here, await archiveOf(there));
    const put = vi.spyOn(app.deps.storage, 'put').mockRejectedValue(new Error('the bucket is away'));
    await call(here, 'POST', `/api/imports/${body.import.id}/start`);
    const broken = await ended(here);
    expect(broken).toMatchObject({ state: 'failed', error: 'The file could not be stored. Please try again.' });
    expect(countsOf(broken)).toMatchObject({ agents: [1, 1, 0, 0], sessions: [2, 2, 0, 0], files: [1, 0, 0, 0] });
    put.mockRestore();
    await call(here, 'POST', `/api/imports/${body.import.id}/start`);
    const report = await ended(here);
    expect(report.state).toBe('done');
    expect(countsOf(report)).toMatchObject({ agents: [1, 1, 0, 0], files: [1, 1, 0, 0] });
    expect(await view(here)).toEqual(await view(there));
  });

  it('goes on after its process died, and doubles nothing when two jobs carry it on at once', async () => {
    await fill(there, 2);
    const here = await app.signUp();
    await app.grantPro(here.uid);
    const { body } = await upload(here, await archiveOf(there));
    const key = { userId: here.uid, importId: String(body.import.id) };
    const set = (change: object) => app.deps.db.update(accountImports).set(change).where(isImport(key));
    // As the process leaves it when it ends after the agents: running, and nobody at work.
    await set({ state: 'running' });
    const step = vi.spyOn(app.deps.storage, 'has').mockRejectedValueOnce(Object.assign(new Error(), { code: '57P01' }));
    await expect(runImport(app.deps, key)).rejects.toThrow();
    step.mockRestore();
    await Promise.all([runImport(app.deps, key), runImport(app.deps, key)]);
    const report = await ended(here);
    expect([report.state, report.error]).toEqual(['done', undefined]);
    for (const { kind, found, imported, present, left } of report.counts) {
      expect([kind, imported + present, left]).toEqual([kind, found, 0]);
    }
    expect(await view(here)).toEqual(await view(there));
  });

  it('can be stopped, and its archive thrown away', async () => {
    await fill(there);
    const here = await app.signUp();
    await app.grantPro(here.uid);
    const archive = await archiveOf(there);
    const { body } = await upload(here, archive);
    const path = `/api/imports/${body.import.id}`;
    const gate = Promise.withResolvers<void>();
    const get = app.deps.storage.get;
    vi.spyOn(app.deps.storage, 'get').mockImplementation(async (key) => {
      await gate.promise;
      return get(key);
    });
    const starts = await Promise.all([1, 2].map(() => app.request('POST', `${path}/start`, { as: here })));
    expect(starts.map(({ status, body: { import: one } }) => [status, one.state])).toEqual([
      [202, 'running'],
      [202, 'running'],
    ]);
    expect((await app.request('DELETE', path, { as: here })).body.error.code).toBe('conflict');
    expect((await upload(here, archive)).status).toBe(409);
    expect((await call(here, 'POST', `${path}/stop`)).import.state).toBe('stopped');
    gate.resolve();
    await call(here, 'DELETE', path);
    expect((await app.request('POST', `${path}/start`, { as: here })).status).toBe(404);
  });
});

it('keeps both of two prompts with one name, once however often the archive comes', async () => {
  const [there, here] = [await app.signUp('There'), await app.signUp('Here')];
  await call(there, 'POST', '/api/prompts', { name: 'Letter', text: 'Theirs.' });
  await call(here, 'POST', '/api/prompts', { name: 'Letter', text: 'Mine.' });
  const archive = await archiveOf(there);
  expect(countsOf(await importInto(here, archive))).toMatchObject({ prompts: [1, 1, 0, 0] });
  expect(countsOf(await importInto(here, archive))).toMatchObject({ prompts: [1, 0, 1, 0] });
  const { prompts } = await call(here, 'GET', '/api/prompts');
  expect(prompts).toMatchObject([
    { name: 'Letter', text: 'Mine.' },
    { name: 'Letter (2)', text: 'Theirs.' },
  ]);
});
