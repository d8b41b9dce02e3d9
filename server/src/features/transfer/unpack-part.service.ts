import { createWriteStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { FILE_LIMITS } from '@atelier/contract/files';
import { violates } from '../../platform/database/constraint.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import { BadZip, type ZipPart } from '../../platform/zip/zip-file.ts';
import { newIncoming } from '../files/uploads.service.ts';
import type { Become } from './import-each.service.ts';
import { Halted } from './import-progress.service.ts';

const HEAD = 4_096;

type Unpacked = Awaited<ReturnType<typeof unpack>>;

/**
 * Unpacks a file of the archive for `add`, which stores it like an upload. A note says why it can't be stored. Throws `Halted` when another
 * job for this import was faster, which the constraint `once` tells.
 */
export async function withPart(
  ctx: Deps,
  part: ZipPart,
  { name, once, notes }: { name: string; once: string; notes: string[] },
  add: (received: Unpacked & { name: string }) => Promise<unknown>,
): Promise<Become> {
  try {
    const received = await unpack(ctx, part);
    await add({ ...received, name }).finally(() => rm(received.path, { force: true }));
    return 'imported';
  } catch (error) {
    if (violates(error, once)) throw new Halted();
    const why = error instanceof BadZip ? 'It is damaged in the archive.' : refusal(error);
    if (why === null) throw error;
    notes.push(`${name}: ${why}`);
    return 'left';
  }
}

/** The sentence of a refusal that concerns this one file only. */
const refusal = (error: unknown) =>
  error instanceof AppError && error.code !== 'unavailable' && error.code !== 'internal' ? error.message : null;

async function unpack(ctx: Deps, part: ZipPart) {
  if (part.size > FILE_LIMITS.bytes) throw new BadZip('too large');
  const path = await newIncoming(ctx.config);
  try {
    // The archive's reader fails once it unpacks to more than the archive says.
    const source = await part.open();
    await pipeline(source, createWriteStream(path, { mode: 0o600 })).catch((cause: unknown) => {
      throw source.errored === null ? cause : new BadZip('damaged', cause);
    });
    const file = await open(path);
    const head = Buffer.alloc(Math.min(HEAD, part.size));
    await file.read(head).finally(() => file.close());
    return { path, size: part.size, head };
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}
