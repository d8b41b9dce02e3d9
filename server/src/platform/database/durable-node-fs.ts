import { fdatasyncSync } from 'node:fs';
import { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import { OpeningFailed } from './folder/explain-opening.ts';
import { syncDirectory } from './folder/sync-tree.ts';
import { MAINTENANCE_SETTINGS } from './maintenance.ts';
import { endWithPostgres, withSmallParser } from './pglite-insides.ts';
import { PARSERS } from './pglite-parsers.ts';

type EmscriptenOptions = Parameters<NodeFS['init']>[1];
type PostgresMod = Parameters<NonNullable<EmscriptenOptions['preRun']>[number]>[0];

/** The part of Emscripten's node file system that needs a sync operation. */
interface SyncableStream {
  nfd?: number;
  node: object;
}
interface NodeFileSystem {
  realPath(node: object): string;
  stream_ops: { fsync?: (stream: SyncableStream) => number };
}

/**
 * PostgreSQL's own cache. All of it is memory from the start, and the system caches the files anyway: with the usual 128 MB, lookups in a
 * table of 60 MB take 0.21 ms instead of 0.22 ms.
 */
const SHARED_BUFFERS = '32MB';

/** Emscripten's number for EIO: PostgreSQL then stops instead of going on with unsynced data. */
const EIO = 29;

/** How bytes are flushed; a test counts the calls or makes them fail. */
interface SyncCalls {
  file: (fd: number) => void;
  directory: (path: string) => void;
}

const realSync: SyncCalls = { file: fdatasyncSync, directory: syncDirectory };
/** For a database that goes again, or that is flushed as a whole later. */
export const NO_SYNC: SyncCalls = { file: () => {}, directory: () => {} };

/**
 * PGlite on a folder, with real fsync. Its own file system layer has no sync operation, so PostgreSQL believes commits are durable while
 * nothing is flushed. Here fsync reaches the disk, and disk errors reach PostgreSQL.
 */
class DurableNodeFs extends NodeFS {
  readonly #sync: SyncCalls;
  readonly #failed: (error: unknown) => void;

  constructor(folder: string, sync: SyncCalls, failed: (error: unknown) => void) {
    super(folder);
    this.#sync = sync;
    this.#failed = failed;
  }

  override async init(pg: PGlite, options: EmscriptenOptions) {
    const result = await super.init(pg, options);
    const preRun = result.emscriptenOpts.preRun ?? [];
    const failed = this.#failed;
    const teach = (module: PostgresMod) => {
      const { file, directory } = this.#sync;
      const { NODEFS } = module as unknown as { NODEFS: NodeFileSystem };
      NODEFS.stream_ops.fsync = (stream) => {
        try {
          if (stream.nfd === undefined) directory(NODEFS.realPath(stream.node));
          else file(stream.nfd);
          return 0;
        } catch (error) {
          failed(error);
          throw new module.FS.ErrnoError(EIO);
        }
      };
    };
    return { ...result, emscriptenOpts: { ...result.emscriptenOpts, preRun: [...preRun, teach] } };
  }
}

/**
 * Opens (or creates) an embedded database in which an acknowledged commit survives a crash. When the disk refuses to flush, or has no room
 * for the log, the commit rejects and `onFailure` is called: PostgreSQL has stopped, and later statements reject.
 */
export async function openDurablePglite(
  folder: string,
  sync: SyncCalls = realSync,
  onFailure: (error: unknown) => void = () => {},
): Promise<PGlite> {
  let hasFailed = false;
  const failed = (error: unknown) => {
    // After a failed flush PostgreSQL stops by itself.
    if (!hasFailed) onFailure(error);
    hasFailed = true;
  };
  const messages: string[] = [];
  let isOpen = false;
  const options = {
    fs: withSmallParser(new DurableNodeFs(folder, sync, failed)),
    parsers: PARSERS,
    // Later lines repeat statements, and with them words of people.
    onStderr: (line: string) => !isOpen && messages.push(line) > 0,
    // Without -F, which turns fsync off. fdatasync never reaches the file system layer, fsync does.
    startParams: [
      ...PGlite.defaultStartParams.filter((p) => p !== '-F'),
      '-c',
      'fsync=on',
      '-c',
      'wal_sync_method=fsync',
      '-c',
      `shared_buffers=${SHARED_BUFFERS}`,
      ...MAINTENANCE_SETTINGS.flatMap((setting) => ['-c', setting]),
    ],
  };
  const pglite = await PGlite.create(options).catch((cause: unknown) => {
    throw new OpeningFailed(messages, cause);
  });
  isOpen = true;
  endWithPostgres(pglite, failed);
  return pglite;
}
