import { basename } from 'node:path';
import { sendFile, storedFiles } from './files.ts';
import { ORIGIN, type TestApp, type TestUser } from './harness.ts';

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
