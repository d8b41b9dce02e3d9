import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { emptyApp, type TestUser } from '../../testing/harness.ts';
import { countsOf, moving } from '../../testing/moving.ts';
import { tasks } from '../runs/runs.table.ts';

let there: TestUser;
const app = await emptyApp({ env: { FACTS: 'rules' } });
beforeEach(async () => {
  there = await app.signUpPro('Ada there');
});
const { call, fill, archiveOf, upload, ended, importInto, view } = moving(() => app);

describe('an account that moves', () => {
  it('arrives with agents, sessions, exchanges, memories, facts and files; a preview first, a report at the end', async () => {
    await fill(there);
    const archive = await archiveOf(there);
    const here = await app.signUpPro('Ada here');
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

    const here = await app.signUpPro();
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
    const here = await app.signUpPro();
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
