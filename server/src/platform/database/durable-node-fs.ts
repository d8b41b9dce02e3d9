import { fdatasyncSync } from 'node:fs';
import { resolve } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import { type Flusher, startFlusher } from './flush/flusher.ts';
import { LogFlush } from './flush/log-flush.ts';
import { OpeningFailed } from './folder/explain-opening.ts';
import { syncDirectory } from './folder/sync-tree.ts';
import { MAINTENANCE_SETTINGS } from './maintenance.ts';
import { endWithPostgres, waitAfterEach, withSmallParser } from './pglite-insides.ts';
import { PARSERS } from './pglite-parsers.ts';

type EmscriptenOptions = Parameters<NodeFS['init']>[1];
type PostgresMod = Parameters<NonNullable<EmscriptenOptions['preRun']>[number]>[0];

/** The part of Emscripten's node file system that we change. */
interface Stream {
  nfd?: number;
  node: { mode: number };
}
type Operation<First> = (of: First, ...rest: unknown[]) => unknown;
interface NodeFileSystem {
  realPath(node: object): string;
  stream_ops: { fsync?: (stream: Stream) => number; write: Operation<Stream>; setattr: Operation<Stream> };
  node_ops: { setattr: Operation<object>; unlink: Operation<object>; rename: Operation<object> };
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
  /** Flushes the log beside other work. */
  startFlusher: () => Flusher;
}

const realSync: SyncCalls = { file: fdatasyncSync, directory: syncDirectory, startFlusher };
/** For a database that goes again, or that is flushed as a whole later. */
export const NO_SYNC: SyncCalls = {
  file: () => {},
  directory: () => {},
  startFlusher: () => ({ flush: async () => {}, end: () => {} }),
};

/**
 * PGlite on a folder, with real fsync. Its own file system layer has no sync operation, so PostgreSQL believes commits are durable while
 * nothing is flushed. Here fsync reaches the disk, and disk errors reach PostgreSQL. The log is flushed by another thread, and nothing else
 * is changed before it is: the log must be on the disk before what it tells of.
 */
class DurableNodeFs extends NodeFS {
  readonly #root: string;
  readonly #sync: SyncCalls;
  readonly #log: LogFlush;
  readonly #failed: (error: unknown) => void;

  constructor(folder: string, sync: SyncCalls, log: LogFlush, failed: (error: unknown) => void) {
    super(folder);
    this.#root = resolve(folder);
    this.#sync = sync;
    this.#log = log;
    this.#failed = failed;
  }

  override async init(pg: PGlite, options: EmscriptenOptions) {
    const result = await super.init(pg, options);
    const preRun = result.emscriptenOpts.preRun ?? [];
    return {
      ...result,
      emscriptenOpts: { ...result.emscriptenOpts, preRun: [...preRun, (module: PostgresMod) => this.#teach(module)] },
    };
  }

  #isLog(path: string): boolean {
    return path.startsWith('/pg_wal/', this.#root.length);
  }

  #teach(module: PostgresMod): void {
    const { NODEFS } = module as unknown as { NODEFS: NodeFileSystem };
    const { stream_ops, node_ops } = NODEFS;
    const reaching = (work: () => void) => {
      try {
        work();
      } catch (error) {
        this.#failed(error);
        throw new module.FS.ErrnoError(EIO);
      }
    };
    stream_ops.fsync = ({ nfd, node }) => {
      const path = NODEFS.realPath(node);
      reaching(() => {
        if (nfd === undefined || module.FS.isDir(node.mode)) this.#sync.directory(path);
        else if (this.#isLog(path)) this.#log.add(path, nfd);
        else this.#sync.file(nfd);
      });
      return 0;
    };
    /** The same operation, once the log is on the disk; on the log itself at once. */
    const afterLog =
      <First>(operation: Operation<First>, nodeOf: (of: First) => object): Operation<First> =>
      (of, ...rest) => {
        if (this.#log.isPending() && !this.#isLog(`${NODEFS.realPath(nodeOf(of))}/`)) reaching(() => this.#log.now());
        return operation(of, ...rest);
      };
    const nodeOfStream = ({ node }: Stream) => node;
    stream_ops.write = afterLog(stream_ops.write, nodeOfStream);
    stream_ops.setattr = afterLog(stream_ops.setattr, nodeOfStream);
    for (const name of ['setattr', 'unlink', 'rename'] as const)
      node_ops[name] = afterLog(node_ops[name], (node) => node);
  }
}

/**
 * Opens (or creates) an embedded database in which an acknowledged commit survives a crash: a statement or transaction resolves once all that
 * was committed before is on the disk, and the thread does other work meanwhile. When the disk refuses to flush, or has no room
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
  const log = new LogFlush(sync.startFlusher(), sync.file, failed);
  const messages: string[] = [];
  let isOpen = false;
  const options = {
    fs: withSmallParser(new DurableNodeFs(folder, sync, log, failed)),
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
  const pglite = await PGlite.create(options).catch(async (cause: unknown) => {
    await log.close();
    throw new OpeningFailed(messages, cause);
  });
  isOpen = true;
  endWithPostgres(pglite, failed);
  waitAfterEach(pglite, log);
  const close = pglite.close.bind(pglite);
  pglite.close = async () => {
    try {
      await close();
    } finally {
      await log.close();
    }
  };
  return pglite;
}
