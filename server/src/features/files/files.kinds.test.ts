import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { FILE_TYPES } from '@atelier/contract/files';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { AppError } from '../../platform/errors.ts';
import { cutIntoPassages } from '../../platform/extraction/passages.ts';
import { readDocument } from '../../platform/extraction/read-document.ts';
import { unreadableSentence } from '../../platform/extraction/unreadable.ts';
import { pdfOf } from '../../testing/documents.ts';
import { isNightly } from '../../testing/effort.ts';
import { KIND_ROWS } from '../../testing/file-kinds.ts';
import { FILES, filesOf } from '../../testing/files.ts';
import { type TestApp, type TestUser, testApp } from '../../testing/harness.ts';
import { RELATED_ROWS } from '../../testing/related-kinds.ts';
import { checkType } from './file-names.service.ts';

// At night each file goes through the whole product, where a process of its own reads it. Otherwise the same reader reads it here.

let app: TestApp;
let ada: TestUser;
const { upload, list, add, passagesOf } = filesOf(
  () => app,
  () => ada,
);
beforeAll(async () => {
  app = await testApp();
  ada = await app.signUpPro('Ada');
  const body = { name: 'Reader', prompt: 'You read.', tools: ['search_files'] };
  await app.request('POST', '/api/agents', { as: ada, body });
});
afterEach(async () => {
  for (const { id } of await list()) await app.request('DELETE', `${FILES}/${id}`, { as: ada });
});
afterAll(async () => {
  await rm(join(app.deps.config.DATA_DIR, 'files'), { recursive: true, force: true });
  await app.close();
});

const ROWS = [...KIND_ROWS, ...RELATED_ROWS];
const QUESTION = 'How much is roof repair?';

/** The searchable pieces of a file. */
async function readHere(name: string, data: Buffer) {
  const { kind } = checkType({ name, size: data.length, head: data });
  const document = await readDocument(kind, new Uint8Array(data), {
    recognize: 'now',
    progress: () => {},
    failed: () => {},
  });
  return cutIntoPassages(document.sections).passages;
}

async function askAbout(name: string, data: Buffer, question: string): Promise<string> {
  const added = await add(name, data);
  expect([added.state, added.error]).toEqual(['ready', undefined]);
  const { body } = await app.request('POST', '/api/sessions', { as: ada, body: { agentId: 'reader' } });
  const input = { sessionId: body.session.id, agentId: 'reader', inputText: question };
  const { task } = (await app.request('POST', '/api/runAgentTask', { as: ada, body: input })).body;
  return task.message.replaceAll('\\', '');
}

it('has a row for every kind of file', () => {
  const kinds = new Set([...FILE_TYPES.values()].map(({ kind }) => kind));
  expect(new Set(ROWS.map(({ kind }) => kind))).toEqual(kinds);
});

it.each(ROWS)(
  '$kind is read, and answers with its place: $file.0',
  async ({ file: [name, data], place, question = QUESTION, answer = '480' }) => {
    if (isNightly) {
      const message = await askAbout(name, data, question);
      expect(message).toContain(`From the file “${name}, ${place}”`);
      expect(message).toContain(answer);
    } else {
      const passages = await readHere(name, data);
      expect(passages).toContainEqual({ place, text: expect.stringContaining(answer) });
    }
  },
);

it('a document whose pictures of text can’t be recognized is read without them', async () => {
  const scan = readFileSync(new URL('../../testing/documents-of-others/reportlab-scan.pdf', import.meta.url));
  // What stands in the storage is what its readers get, one after another.
  const contents = [scan, Buffer.from('%PDF-1.4 nonsense'), pdfOf(['Marlin is blue.'])];
  const get = vi.spyOn(app.deps.storage, 'get').mockImplementation(async () => Readable.from([contents.shift()]));
  try {
    const file = await add('mixed.pdf', scan);
    expect([file.state, file.error, contents]).toEqual(['ready', undefined, []]);
    expect((await passagesOf(file.id)).map(({ text }: { text: string }) => text)).toEqual(['Marlin is blue.']);
  } finally {
    get.mockRestore();
  }
});

const refusalHere = (error: unknown) => (error instanceof AppError ? error.message : unreadableSentence(error));

async function refusalOf(name: string, data: Buffer): Promise<string> {
  const sent = await upload(name, data);
  // Some are known by their first bytes, the others when they are read.
  return sent.status === 415 ? sent.body.error.message : (await add(name, data)).error;
}

const REFUSED = ROWS.flatMap(({ kind, file: [name], damaged, bomb, encrypted }) =>
  Object.entries({ damaged, bomb, encrypted }).flatMap(([how, given]) =>
    given === undefined ? [] : [{ kind, how, name: `${how}-${name}`, data: given[0], sentence: given[1] }],
  ),
);
it.each(REFUSED)('$kind is refused in a sentence: $name', async ({ name, data, sentence }) => {
  expect(await (isNightly ? refusalOf(name, data) : readHere(name, data).then(String, refusalHere))).toMatch(sentence);
});
