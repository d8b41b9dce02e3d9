import { readdir } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { expect } from 'vitest';
import { eventually } from './eventually.ts';
import { ORIGIN, type TestApp, type TestUser } from './harness.ts';
import { formOf, requestOf } from './requests.ts';

/** Sends a file as a form does. */
export async function sendFile(
  { app }: TestApp,
  as: Pick<TestUser, 'cookie'> | null,
  path: string,
  file: [name: string, data: Uint8Array | string],
) {
  const init = requestOf(ORIGIN, as?.cookie ?? '', 'POST', formOf(...file));
  const response = await app.request(`${ORIGIN}${path}`, init);
  return { status: response.status, body: JSON.parse(await response.text()) };
}

/** Everything in the archive of a person's data, unpacked. */
export async function readExport({ app }: TestApp, as: TestUser): Promise<string> {
  const response = await app.request(`${ORIGIN}/api/export`, { headers: { cookie: as.cookie } });
  expect(response.status).toBe(200);
  const parts = unzipSync(new Uint8Array(await response.arrayBuffer()));
  return Object.values(parts)
    .map((part) => strFromU8(part))
    .join('\n');
}

/** The paths of all stored files, or of those below a folder, relative to it. */
export async function storedFiles({ deps }: TestApp, below = ''): Promise<string[]> {
  const root = join(deps.config.DATA_DIR, 'files', below);
  const found = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  return found.filter((entry) => entry.isFile()).map((entry) => relative(root, join(entry.parentPath, entry.name)));
}

/** The files of the agent in the file tests. */
export const FILES = '/api/agents/reader/files';

/** What tests do with the files of an agent named Reader. */
export function filesOf(app: () => TestApp, ada: () => TestUser) {
  const upload = (name: string, data: Buffer | string, as = ada()) => sendFile(app(), as, FILES, [name, data]);

  const list = async (as = ada()) => (await app().request('GET', FILES, { as })).body.files;

  /** Uploads and waits until it is read, or has failed. */
  async function add(name: string, data: Buffer | string) {
    const { status, body } = await upload(name, data);
    expect([status, body.error?.message]).toEqual([201, undefined]);
    let found: Awaited<ReturnType<typeof list>>;
    await eventually(async () => {
      found = (await list()).find((file: { id: string }) => file.id === body.file.id);
      expect(['ready', 'failed']).toContain(found?.state);
    });
    return found;
  }

  const passagesOf = async (id: string) =>
    (await app().request('GET', `${FILES}/${id}/passages`, { as: ada() })).body.passages;

  return { upload, list, add, passagesOf, onDisk: () => storedFiles(app()) };
}

/** What tests do with the attachments of a session. */
export function attachmentsOf(app: () => TestApp, owner: () => TestUser, session: () => string) {
  const upload = (name: string, data: Buffer | string, as: TestUser | null = owner(), at = session()) =>
    sendFile(app(), as, `/api/sessions/${at}/attachments`, [name, data]);

  async function add(name: string, data: Buffer | string): Promise<{ id: string; url: string }> {
    const { status, body } = await upload(name, data);
    if (status !== 201) throw new Error(`${name} was refused: ${JSON.stringify(body)}`);
    return body.attachment;
  }

  const get = (url: string, as = owner()) => app().app.request(`${ORIGIN}${url}`, { headers: { cookie: as.cookie } });

  /** The names of all that is stored for the person. */
  const onDisk = async () => (await storedFiles(app(), `userFiles/${owner().uid}`)).map((path) => basename(path));

  return { upload, add, get, onDisk };
}
