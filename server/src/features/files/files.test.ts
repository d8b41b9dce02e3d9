import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { agentFileEntry, FILE_LIMITS } from '@atelier/contract/files';
import { beforeEach, describe, expect, it } from 'vitest';
import { docxOf, pdfOf } from '../../testing/documents.ts';
import { effort } from '../../testing/effort.ts';
import { eventually } from '../../testing/eventually.ts';
import { FILES, filesOf } from '../../testing/files.ts';
import { emptyApp, type TestUser } from '../../testing/harness.ts';
import { jobsEnd, passUndo } from '../../testing/jobs-end.ts';
import { agentFiles, filePassages } from './files.table.ts';

let ada: TestUser;
let bob: TestUser;
const app = await emptyApp();
beforeEach(async () => {
  await rm(join(app.deps.config.DATA_DIR, 'files'), { recursive: true, force: true });
  [ada, bob] = [await app.signUp('Ada'), await app.signUp('Bob')];
  for (const user of [ada, bob]) {
    await app.grantPro(user.uid);
    const body = { name: 'Reader', prompt: 'You read.', tools: user === ada ? ['search_files'] : [] };
    await app.request('POST', '/api/agents', { as: user, body });
  }
});

const at = FILES;
const { upload, list, add, passagesOf, onDisk } = filesOf(
  () => app,
  () => ada,
);

async function ask(inputText: string) {
  const { body } = await app.request('POST', '/api/sessions', { as: ada, body: { agentId: 'reader' } });
  const input = { sessionId: body.session.id, agentId: 'reader', inputText };
  return (await app.request('POST', '/api/runAgentTask', { as: ada, body: input })).body.task;
}

describe('uploading', () => {
  it('stores the file under its own name, and the original name in its row', async () => {
    const file = await add('Über Ärger & Co.TXT', 'The lighthouse is painted green.');
    expect(agentFileEntry.parse(file)).toMatchObject({
      name: 'Über Ärger & Co.TXT',
      type: 'text/plain',
      size: 32,
      state: 'ready',
      url: `${at}/${file.id}`,
    });
    expect(await onDisk()).toEqual([
      expect.stringMatching(new RegExp(`^userFiles/${ada.uid}/\\d+_[a-z0-9._-]{1,80}$`)),
    ]);
  });

  it.each([
    '../../../etc/passwd.txt',
    '.txt',
    '..%2f.txt',
    `${'x'.repeat(300)}.md`,
    'a\\b.csv',
    '日本.json',
    'C:\\nul.txt',
  ])('keeps %s inside of its folder', async (name) => {
    const { status } = await upload(name, '{"a": 1}');
    expect(status).toBe(201);
    const [path] = await onDisk();
    expect(path).toMatch(/^userFiles\/[^/]+\/\d+_[a-z0-9._-]{1,80}$/);
  });

  it('takes two files of one name at once', async () => {
    const answers = await Promise.all([1, 2, 3].map((n) => upload('same.txt', `Number ${n}`)));
    expect(answers.map((a) => a.status)).toEqual([201, 201, 201]);
    expect(new Set(await onDisk()).size).toBe(3);
  });

  it.each([
    ['notes.exe', 'MZ', 415, /This kind of file can’t be read/],
    ['letter.doc', 'x', 415, /Old Office files can’t be read/],
    [
      'locked.xlsx',
      Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0]),
      415,
      /protected by a password, or in an old Office format/,
    ],
    ['photo.HEIC', 'x', 415, /Save it as PNG or JPEG/],
    ['photo.jpg', Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic'), 415, /Save it as PNG or JPEG/],
    ['scan.png', Buffer.from('II*\0\x08\0\0\0'), 415, /Save it as PNG or JPEG/],
    ['talk.mp3', 'x', 415, /Save what is said as text/],
    ['talk.txt', Buffer.from('ID3\x04\0\0\0\0'), 415, /Save what is said as text/],
    ['film.mov', 'x', 415, /Save what is said as subtitles/],
    ['plan.pages', 'x', 415, /Export it as docx/],
    ['empty.txt', '', 400, /This file is empty/],
    ['lying.pdf', 'I am only text', 415, /does not match its name: it is text/],
    ['lying.txt', pdfOf(['x']), 415, /does not match its name: it is a PDF/],
    ['lying.docx', pdfOf(['x']), 415, /it is a PDF/],
    ['lying.csv', docxOf(['x']), 415, /it is an archive/],
    ['picture.md', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13]), 415, /it is a picture/],
    ['program.txt', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 1, 0]), 415, /something else/],
    ['large.txt', Buffer.alloc(10 * 1024 * 1024 + 1, 'x'), 413, /at most 10 MB/],
  ])('refuses %s, and keeps nothing of it', async (name, data, status, sentence) => {
    const answer = await upload(name, data);
    expect([answer.status, answer.body.error.message]).toEqual([status, expect.stringMatching(sentence)]);
    expect([await list(), await onDisk()]).toEqual([[], []]);
  });

  it('refuses what is no upload', async () => {
    const send = (body: unknown, headers: Record<string, string> = {}) =>
      app.request('POST', at, { as: ada, body, headers });
    expect((await send({ file: 'x' })).status).toBe(400);
    expect((await send('--x--', { 'content-type': 'multipart/form-data' })).status).toBe(400);
    expect((await send('--x\r\nbroken', { 'content-type': 'multipart/form-data; boundary=x' })).status).toBe(400);
    expect(await onDisk()).toEqual([]);
  });

  it('ends at 1 GB for an account, also when raced', async () => {
    const file = await add('a.txt', 'x');
    await app.deps.db.update(agentFiles).set({ size: 1024 * 1024 * 1024 - 30 });
    const answers = await Promise.all([1, 2, 3].map(() => upload('b.txt', 'x'.repeat(20))));
    expect(answers.map((a) => a.status).toSorted()).toEqual([201, 402, 402]);
    expect(answers.find((a) => a.status === 402)?.body.error).toMatchObject({
      code: 'limit_reached',
      message: expect.stringContaining('1 GB'),
    });
    expect((await list()).length).toBe(2);
    expect(file.state).toBe('ready');
  });
});

describe('who may', () => {
  it('somebody else finds nothing', async () => {
    const { id } = await add('mine.txt', 'The key lies under the mat.');
    for (const [method, path] of [
      ['GET', `${at}/${id}`],
      ['GET', `${at}/${id}/passages`],
      ['DELETE', `${at}/${id}`],
      ['POST', `${at}/${id}/restore`],
    ] as const) {
      expect((await app.request(method, path, { as: bob })).status, path).toBe(404);
    }
    expect(await list(bob)).toEqual([]);
    expect((await app.request('GET', `${at}/no-uuid`, { as: ada })).status).toBe(404);
  });

  it('no free user by hand', async () => {
    const eve = await app.signUp('Eve');
    await app.request('POST', '/api/agents', { as: eve, body: { name: 'Reader', prompt: 'x' } });
    expect((await upload('a.txt', 'x', eve)).status).toBe(403);
    for (const [method, path] of [
      ['GET', at],
      ['GET', `${at}/x`],
      ['GET', `${at}/x/passages`],
      ['DELETE', `${at}/x`],
      ['POST', `${at}/x/restore`],
    ] as const) {
      const free = await app.request(method, path, { as: eve });
      expect([free.status, free.body.error.code], path).toEqual([403, 'pro_required']);
    }
  });
});

describe('downloading', () => {
  it('gives the bytes as an attachment that nothing sniffs or runs', async () => {
    const { id } = await add('pägé".html', '<script>alert(1)</script><p>Hello</p>');
    const answer = await app.request('GET', `${at}/${id}`, { as: ada });
    expect(answer.body).toBe('<script>alert(1)</script><p>Hello</p>');
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': expect.stringMatching(/^attachment; filename="p_g_.html"; filename\*=UTF-8''p%C3%A4g/),
      'x-content-type-options': 'nosniff',
    });
  });
});

describe('reading', () => {
  const READABLE: [string, Buffer | string, string[], string][] = [
    ['notes.md', '# Boats\n\nMarlin is blue.\n\n## Rules\n\nNo smoking.', ['“Boats”', '“Rules”'], 'Marlin is blue.'],
    ['people.csv', 'name,age\nAda,36\nBob,4', ['rows 2–3'], 'name: Ada; age: 36'],
    ['data.json', '{"boat": {"name": "Marlin"}}', ['$.boat.name'], 'boat.name: Marlin'],
    ['page.html', '<title>T</title><h1>Boats</h1><p>Marlin</p><script>x()</script>', ['“Boats”'], 'Marlin'],
    ['plain.txt', 'line\n'.repeat(100), ['lines 1–40', 'lines 41–80', 'lines 81–101'], 'line'],
    ['word.docx', docxOf(['# Boats', 'Marlin is blue.']), ['“Boats”'], 'Marlin is blue.'],
    ['paper.pdf', pdfOf(['First page', 'Marlin is blue.']), ['page 1', 'page 2'], 'Marlin is blue.'],
  ];
  /** By day one for each way: in this process, by lines, and by pages; `files.kinds` reads all of them. */
  const TRIED = effort(
    READABLE.filter(([name]) => ['notes.md', 'people.csv', 'paper.pdf'].includes(name)),
    READABLE,
  );
  it('finds places in every kind of file', async () => {
    const added = await Promise.all(TRIED.map(([name, data]) => add(name, data)));
    for (const [i, [name, , places, text]] of TRIED.entries()) {
      const passages = await passagesOf(added[i].id);
      expect([added[i].state, passages.map((p: { place: string }) => p.place)], name).toEqual(['ready', places]);
      expect(passages.map((p: { text: string }) => p.text).join('\n'), name).toContain(text);
      expect(JSON.stringify(passages)).not.toContain('x()');
    }
  });

  const LONG = effort(FILE_LIMITS.bytes / 5, FILE_LIMITS.bytes);
  it('reads a long text to its end, and finds what stands there', async () => {
    const line = 'All work and no play makes a long file.\n\n';
    const last = 'The lighthouse keeper is called Ingeborg.';
    const text = line.repeat(Math.floor((LONG - last.length) / line.length)) + last;
    const long = await add('long.txt', text);
    expect([long.state, long.note]).toEqual(['ready', undefined]);
    const { message } = await ask('Who is the lighthouse keeper?');
    expect(message).toContain('Ingeborg');
  });
});

it('stores how far a reader is, and forgets it at the end', async () => {
  const { database } = app.deps;
  await database.executeSql('create table progress_seen (progress text)');
  await database.executeSql(
    `create function see_progress() returns trigger language plpgsql as $$
     begin insert into progress_seen values (new.progress); return new; end $$`,
  );
  await database.executeSql(
    'create trigger see_progress before update on agent_files for each row execute function see_progress()',
  );
  const scan = readFileSync(new URL('../../testing/documents-of-others/reportlab-scan.pdf', import.meta.url));
  const file = await add('scan.pdf', scan);
  await jobsEnd(app);
  const { rows } = await database.executeSql('select distinct progress from progress_seen where progress is not null');
  // The next file has this database without them.
  await database.executeSql('drop function see_progress cascade');
  await database.executeSql('drop table progress_seen');
  const seen = rows.map((found) => found.progress).toSorted();
  expect(seen).toEqual(['recognizing text, 1 of 1 page', 'waiting for text recognition']);
  expect([file.state, file.progress]).toEqual(['ready', undefined]);
  expect(file.note).toBe('Page 1 is a picture of text; recognized words may be wrong.');
});

describe('knowledge', () => {
  it('answers with the file and the place, and no longer once the file is deleted', async () => {
    const pages = ['Contents', 'The harbour opens at six.', 'The lighthouse keeper is called Ingeborg.'];
    const { id } = await add('harbour.pdf', pdfOf(pages));
    const task = await ask('Who is the lighthouse keeper?');
    expect(task.message).toContain('From the file “harbour.pdf, page 3”');
    expect(task.message).toContain('Ingeborg');
    expect(task.memoryUsed).toContainEqual(
      expect.objectContaining({ kind: 'file', fileId: id, fileName: 'harbour.pdf', place: 'page 3' }),
    );
    expect(task.toolCalls[0]).toMatchObject({ name: 'search_files', state: 'done' });
    expect(task.toolCalls[0].output.passages[0]).toMatchObject({ fileId: id, file: 'harbour.pdf', place: 'page 3' });

    expect((await app.request('DELETE', `${at}/${id}`, { as: ada })).status).toBe(204);
    const after = await ask('Who is the lighthouse keeper?');
    expect(JSON.stringify([after.memoryUsed, after.toolCalls])).not.toContain(id);
    expect((await app.request('GET', `${at}/${id}`, { as: ada })).status).toBe(404);

    expect((await app.request('POST', `${at}/${id}/restore`, { as: ada })).body.file.id).toBe(id);
    expect(JSON.stringify((await ask('Who is the lighthouse keeper?')).memoryUsed)).toContain(id);
  });

  it('competes with memories in one ranking, and serves an agent without memory', async () => {
    await ask('My brother Olav keeps bees in Voss.');
    await add('bees.txt', 'Bees in Voss fly until September.');
    const task = await ask('What about the bees in Voss?');
    // The agent's own note only repeats the person.
    expect(new Set(task.memoryUsed.map((m: { kind: string }) => m.kind))).toEqual(new Set(['person', 'file']));
    await app.request('PUT', '/api/agents/reader', { as: ada, body: { memoryEnabled: false } });
    const without = await ask('What about the bees in Voss?');
    expect(without.memoryUsed.map((m: { kind: string }) => m.kind)).toEqual(['file']);
  });

  it('is gone from disk once the undo has passed, and with its agent', async () => {
    const { id } = await add('a.txt', 'x');
    await add('b.txt', 'y');
    await app.request('DELETE', `${at}/${id}`, { as: ada });
    await passUndo(app);
    await eventually(async () => expect(await onDisk()).toHaveLength(1));
    await app.request('DELETE', '/api/agents/reader', { as: ada });
    await passUndo(app);
    await eventually(async () => expect(await onDisk()).toEqual([]));
    // Bytes go before rows.
    await eventually(async () => expect(await app.deps.db.select().from(filePassages)).toEqual([]));
  });
});
