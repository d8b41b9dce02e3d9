import { agentFileOf } from '@atelier/contract/agents/agent-file';
import { PRODUCT_NAME } from '@atelier/contract/product';
import { ACCOUNT_ARCHIVE_FORMAT, ACCOUNT_ARCHIVE_VERSION } from '@atelier/contract/transfer/imports';
import type { Caller } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { type ZipEntry, zipStream } from '../../platform/zip/zip-stream.ts';
import { findStoredPhoto } from '../accounts/photos/photos.service.ts';
import {
  countRows,
  fewRows,
  livingAgents,
  ownRows,
  PAGE,
  storedToolFiles,
  storedUploads,
  toolFileBytes,
} from './own-rows.queries.ts';
import { OWN_TABLES, type OwnTable } from './own-tables.table.ts';

const encoder = new TextEncoder();
/** A file of so many bytes is read whole. */
const SMALL = 64 * 1024;
/** So many of them are read at once. */
const TOGETHER = { bytes: 1024 * 1024, files: 100 };

/** Everything of an account as a zip archive, created while it is sent. Stops, and logs why, when the database fails. */
export async function* exportAccount(ctx: Deps, caller: Pick<Caller, 'uid' | 'email'>) {
  try {
    yield* zipStream(entries(ctx, caller));
  } catch (error) {
    ctx.log.error('own-data.export', error);
    throw error;
  }
}

async function* entries(ctx: Deps, caller: Pick<Caller, 'uid' | 'email'>): AsyncGenerator<ZipEntry> {
  yield { path: 'README.txt', content: encoder.encode(readme(caller.email)) };
  yield { path: 'archive.json', content: encoder.encode(manifest()) };
  for await (const agent of livingAgents(ctx.db, caller.uid)) {
    const file = `${JSON.stringify(agentFileOf(agent), null, 2)}\n`;
    yield { path: `agents/${agent.id}-${plainName(agent.name)}.agent.json`, content: encoder.encode(file) };
  }
  const counts = await countRows(ctx.db, caller.uid);
  for (const own of OWN_TABLES) {
    const count = counts[own.file] ?? PAGE;
    yield {
      path: own.file,
      content: count < PAGE ? await fewAsArray(ctx, own, caller.uid, count) : asArray(ctx, own, caller.uid),
    };
  }
  const photo = await findStoredPhoto(ctx, caller.uid);
  if (photo !== null && (await ctx.storage.has(photo.key))) {
    yield { path: `photo-${photo.file}`, content: await ctx.storage.get(photo.key) };
  }
  for (const kind of ['files', 'attachments'] as const) {
    const uploads = counts[`${kind}.json`] === 0 ? [] : await storedUploads(ctx.db, caller.uid, kind);
    for (const group of readTogether(uploads)) yield* stored(ctx, kind, group);
  }
  for (const file of counts['tool-files.json'] === 0 ? [] : await storedToolFiles(ctx.db, caller.uid)) {
    const path = `tool-files/${plainName(`${file.id}.${endingOf(file.type)}`)}`;
    yield { path, content: await toolFileBytes(ctx.db, caller.uid, file) };
  }
}

type StoredUpload = Awaited<ReturnType<typeof storedUploads>>[number];

/** Small files that are read at once: one after another, each would wait for everybody's work several times. */
function* readTogether(uploads: StoredUpload[]): Generator<StoredUpload[]> {
  let [group, bytes]: [StoredUpload[], number] = [[], 0];
  for (const upload of uploads) {
    const size = isSmall(upload) ? upload.size : 0;
    if (group.length === TOGETHER.files || bytes + size > TOGETHER.bytes) {
      yield group;
      [group, bytes] = [[], 0];
    }
    group.push(upload);
    bytes += size;
  }
  yield group;
}

const isSmall = ({ size }: StoredUpload) => size <= SMALL;

/** Stored bytes, each under its id and name. */
async function* stored(ctx: Deps, folder: string, uploads: StoredUpload[]): AsyncGenerator<ZipEntry> {
  const small = await Promise.all(
    uploads.map((upload) => (isSmall(upload) ? ctx.storage.read(upload.key) : undefined)),
  );
  for (const [i, upload] of uploads.entries()) {
    const { id, name, key } = upload;
    const content = isSmall(upload) ? small[i] : (await ctx.storage.has(key)) ? await ctx.storage.get(key) : undefined;
    // Not arrived yet, or deleted already: its row says so.
    if (content !== undefined) yield { path: `${folder}/${id}-${plainName(name)}`, content };
  }
}

/** A type's usual ending, as far as it has one. */
const endingOf = (type: string) => type.split('/').at(-1)?.split('+').at(0)?.slice(0, 20) ?? '';

/** A file name that every system can unpack. */
const plainName = (name: string) =>
  name
    .replaceAll(/[^\p{L}\p{N}._ -]/gu, '_')
    .replace(/^[. ]+/u, '_')
    .slice(0, 100);

async function fewAsArray(ctx: Deps, own: OwnTable, uid: string, count: number) {
  const rows = count === 0 ? [] : await fewRows(ctx.db, own, uid);
  return encoder.encode(rows.length === 0 ? '[]\n' : `[\n${rows.map((row) => JSON.stringify(row)).join(',\n')}\n]\n`);
}

async function* asArray(ctx: Deps, own: OwnTable, uid: string): AsyncGenerator<Uint8Array> {
  let before = '[\n';
  for await (const row of ownRows(ctx.db, own, uid)) {
    yield encoder.encode(before + JSON.stringify(row));
    before = ',\n';
  }
  yield encoder.encode(before === '[\n' ? '[]\n' : '\n]\n');
}

const manifest = () =>
  JSON.stringify({
    format: ACCOUNT_ARCHIVE_FORMAT,
    version: ACCOUNT_ARCHIVE_VERSION,
    madeAt: new Date().toISOString(),
  });

const readme = (email: string) => `${PRODUCT_NAME}: everything stored for the account ${email}
made ${new Date().toISOString()}

Each .json file is a list of one kind of thing, as it is stored; files/ holds what you uploaded, each under its id from files.json,
attachments/ what you attached to messages, and tool-files/ what tools answered as pictures, sounds and files;
photo-… is your photo. Times are ISO 8601, in UTC.
agents/ holds each agent as an agent file. Another installation of ${PRODUCT_NAME} imports this archive: choose it on the page “Account”. Left
out are your password's hash, the tokens of your sign-ins, what your tool servers know you by, and technical data (leases, search indexes).
`;
