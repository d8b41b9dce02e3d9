import { PRODUCT_NAME } from '@atelier/contract/product';
import type { Caller } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { type ZipEntry, zipStream } from '../../platform/zip-stream.ts';
import { storedFiles } from '../files/files.service.ts';
import { OWN_TABLES, type OwnTable, ownRows } from './own-data.queries.ts';

const encoder = new TextEncoder();

/** Everything of an account as a zip archive, made while it is sent. Breaks off, and logs why, when the database does. */
export async function* exportAccount(ctx: Deps, caller: Pick<Caller, 'uid' | 'email'>) {
  try {
    yield* zipStream(entries(ctx, caller));
  } catch (error) {
    ctx.log.error('own-data.export', error);
    throw error;
  }
}

async function* entries(ctx: Deps, caller: Pick<Caller, 'uid' | 'email'>): AsyncGenerator<ZipEntry> {
  yield { path: 'README.txt', content: [encoder.encode(readme(caller.email))] };
  for (const own of OWN_TABLES) yield { path: own.file, content: asArray(ctx, own, caller.uid) };
  for await (const { key, id, name } of storedFiles(ctx, caller.uid)) {
    // Two files may have one name; the id tells them apart, as in files.json.
    yield { path: `files/${id}/${name.replaceAll(/[/\\]/g, '_')}`, content: bytesOf(ctx, key) };
  }
}

async function* bytesOf(ctx: Deps, key: string): AsyncGenerator<Uint8Array> {
  for await (const chunk of await ctx.storage.get(key)) yield chunk;
}

async function* asArray(ctx: Deps, own: OwnTable, uid: string): AsyncGenerator<Uint8Array> {
  let before = '[\n';
  for await (const row of ownRows(ctx.db, own, uid)) {
    yield encoder.encode(before + JSON.stringify(row));
    before = ',\n';
  }
  yield encoder.encode(before === '[\n' ? '[]\n' : '\n]\n');
}

const readme = (email: string) => `${PRODUCT_NAME}: everything that is stored of the account ${email}
made ${new Date().toISOString()}

Each JSON file is a list of one kind of thing, as it is stored; the folder files holds what you uploaded. Times are ISO 8601, in UTC. Left out are your password's hash, the
tokens of your sign-ins, and what only the machine needs (leases, search indexes).
`;
