import { fdatasyncSync } from 'node:fs';
import { resolve } from 'node:path';
import { PGlite, protocol } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import { DeferredCheckpoint } from './flush/deferred-checkpoint.ts';
import { DeferredFlush } from './flush/deferred-flush.ts';
import { areUnlogged, type Flusher, startFlusher } from './flush/flusher.ts';
import { OpeningFailed } from './folder/explain-opening.ts';
import { syncDirectory } from './folder/sync-tree.ts';
import { endWithPostgres, runAlone, waitAfterEach, withSmallParser } from './pglite-insides.ts';
import { PARSERS } from './pglite-parsers.ts';

type EmscriptenOptions = Parameters<NodeFS['init']>[1];
type PostgresMod = Parameters<NonNullable<EmscriptenOptions['preRun']>[number]>[0];

/** The part of Emscripten's node file system that we change. */
interface Stream {
  nfd?: number;
  node: { mode: number };
}
type Operation<First> = (of: First, ...rest: unknown[]) => unknown;
type Write = (stream: Stream, memory: Int8Array, offset: number, length: number, position: number) => number;
interface NodeFileSystem {
  realPath(node: object): string;
  stream_ops: { fsync?: (stream: Stream) => number; write: Write; setattr: Operation<Stream> };
  node_ops: {
    setattr: Operation<object>;
    unlink: Operation<object>;
    rename: Operation<object>;
    readdir: (node: object) => string[];
  };
}

/**
 * PostgreSQL's own cache. All of it is memory from the start, and the system caches the files anyway: with the usual 128 MB, lookups in a
 * table of 60 MB take 0.21 ms instead of 0.22 ms.
 */
const SHARED_BUFFERS = '32MB';

/**
 * Every change writes log, and only checkpoints free it. PGlite has neither checkpointer nor autovacuum, so we do both (maintenance.ts). These settings
 * limit how much log is kept for reuse; without them it is a gigabyte. Samples for statistics are a twentieth of the usual size, to save
 * time.
 */
const SETTINGS = [
  'fsync=on',
  'wal_sync_method=fsync',
  `shared_buffers=${SHARED_BUFFERS}`,
  'min_wal_size=32MB',
  'max_wal_size=64MB',
  'default_statistics_target=5',
  // Nobody replicates, and a checkpoint would write and flush how far replication is.
  'max_replication_slots=0',
];

/** Emscripten's number for EIO: PostgreSQL then stops instead of going on with unsynced data. */
const EIO = 29;

/** How bytes are flushed; a test counts the calls or makes them fail. */
interface SyncCalls {
  file: (fd: number) => void;
  directory: (path: string) => void;
  /** Flushes beside other work: once for the log and once for tables. */
  startFlusher: () => Flusher;
}

const realSync: SyncCalls = { file: fdatasyncSync, directory: syncDirectory, startFlusher };
/** For a database that goes again, or that is flushed as a whole later. */
export const NO_SYNC: SyncCalls = {
  file: () => {},
  directory: () => {},
  startFlusher: () => ({ flush: async () => {}, end: () => {} }),
};

/** PostgreSQL empties these when it starts. */
const SCRATCH = ['/pg_notify/', '/pg_subtrans/', '/base/pgsql_tmp/'];
/** What a checkpoint flushes before it counts. */
const TABLES = ['/base/', '/global/', '/pg_xact/', '/pg_multixact/'];
const isControl = (path: string) => path.endsWith('/global/pg_control');

/**
 * PGlite on a folder, with real fsync. Its own file system layer has no sync operation, so PostgreSQL believes commits are durable while
 * nothing is flushed. Here fsync reaches the disk, and disk errors reach PostgreSQL. The log is flushed by another thread, and nothing that it
 * tells of is changed before it is: the log must be on the disk first.
 */
class DurableNodeFs extends NodeFS {
  readonly #root: string;
  readonly #sync: SyncCalls;
  readonly log: DeferredFlush;
  readonly #tables: DeferredFlush;
  readonly checkpoint: DeferredCheckpoint;
  readonly #failed: (error: unknown) => void;

  constructor(folder: string, sync: SyncCalls, failed: (error: unknown) => void) {
    super(folder);
    this.#root = resolve(folder);
    this.#sync = sync;
    this.log = new DeferredFlush(sync.startFlusher(), sync.file, failed);
    this.#tables = new DeferredFlush(sync.startFlusher(), sync.file, failed);
    this.checkpoint = new DeferredCheckpoint(this.log, this.#tables);
    this.#failed = failed;
  }

  /** Flushes the rest and lets the other threads go. */
  async close(): Promise<void> {
    await Promise.all([this.log.close(), this.#tables.close()]);
  }

  override async init(pg: PGlite, options: EmscriptenOptions) {
    const result = await super.init(pg, options);
    const preRun = result.emscriptenOpts.preRun ?? [];
    return {
      ...result,
      emscriptenOpts: { ...result.emscriptenOpts, preRun: [...preRun, (module: PostgresMod) => this.#teach(module)] },
    };
  }

  #isIn(path: string, folders: string[]): boolean {
    return folders.some((folder) => path.startsWith(folder, this.#root.length));
  }

  #isLog(path: string): boolean {
    return this.#isIn(path, ['/pg_wal/']);
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
    const { write, setattr } = stream_ops;
    stream_ops.fsync = ({ nfd, node }) => {
      const path = NODEFS.realPath(node);
      reaching(() => this.#flush(path, module.FS.isDir(node.mode) ? undefined : nfd));
      return 0;
    };
    stream_ops.write = (stream, memory, offset, length, position) => {
      const path = NODEFS.realPath(stream.node);
      const content = new Uint8Array(memory.buffer, memory.byteOffset + offset, length);
      let isHeld = false;
      reaching(() => {
        isHeld = this.#holds(path, content);
        if (!isHeld) this.#beforeWrite(path, content);
      });
      if (isHeld) return length;
      return write(stream, memory, offset, length, position);
    };
    /** The same operation, once the log is on the disk; on the log itself at once. */
    const afterLog =
      <First>(operation: Operation<First>, nodeOf: (of: First) => object): Operation<First> =>
      (of, ...rest) => {
        reaching(() => this.#beforeChange(`${NODEFS.realPath(nodeOf(of))}/`));
        return operation(of, ...rest);
      };
    stream_ops.setattr = afterLog(setattr, ({ node }) => node);
    for (const name of ['setattr', 'unlink', 'rename'] as const)
      node_ops[name] = afterLog(node_ops[name], (node) => node);
    const { readdir } = node_ops;
    node_ops.readdir = (node) => {
      const names = readdir(node);
      return this.#isLog(`${NODEFS.realPath(node)}/`) ? this.checkpoint.removable(names) : names;
    };
  }

  #flush(path: string, descriptor: number | undefined): void {
    const isDirectory = descriptor === undefined;
    if (this.#isLog(`${path}/`) && !(isDirectory && process.platform === 'win32')) {
      this.log.add(path, descriptor);
    } else if (isDirectory) this.#sync.directory(path);
    else if (this.checkpoint.isRunning && this.#isIn(path, TABLES)) {
      if (!isControl(path)) this.#tables.add(path, descriptor);
      else if (!this.checkpoint.isHeld) this.#sync.file(descriptor);
    } else this.#sync.file(descriptor);
  }

  /** Keeps what a deferred checkpoint writes into the control file; anything else that is written there comes after it. */
  #holds(path: string, content: Uint8Array): boolean {
    if (!isControl(path)) return false;
    if (this.checkpoint.isRunning && this.checkpoint.hold(path, content)) return true;
    this.checkpoint.now();
    return false;
  }

  #beforeWrite(path: string, content: Uint8Array): void {
    if (!this.log.isPending() || this.#isLog(path) || this.#isIn(path, SCRATCH)) return;
    if (!this.#isIn(path, ['/base/']) || !areUnlogged(content)) this.log.now();
  }

  #beforeChange(path: string): void {
    if (this.#isLog(path) || this.#isIn(path, SCRATCH)) return;
    if (this.checkpoint.isHeld) this.checkpoint.now();
    else if (this.log.isPending()) this.log.now();
  }
}

/** The last checkpoint's first segment of the log, by the control file on the disk. */
const OLDEST = 'select redo_wal_file as oldest from pg_control_checkpoint()';

/** An embedded database on a folder. */
export type DurablePglite = PGlite & {
  /** A checkpoint whose tables are flushed beside other work; resolves when it counts. */
  checkpoint(): Promise<void>;
};

/**
 * Opens (or creates) an embedded database in which an acknowledged commit survives a crash: a statement or transaction resolves once all that
 * was committed before is on the disk, and the thread does other work meanwhile. When the disk refuses to flush, or has no room
 * for the log, the commit rejects and `onFailure` is called: PostgreSQL has stopped, and later statements reject.
 */
export async function openDurablePglite(
  folder: string,
  sync: SyncCalls = realSync,
  onFailure: (error: unknown) => void = () => {},
): Promise<DurablePglite> {
  let hasFailed = false;
  const failed = (error: unknown) => {
    // After a failed flush PostgreSQL stops by itself.
    if (!hasFailed) onFailure(error);
    hasFailed = true;
  };
  const fs = new DurableNodeFs(folder, sync, failed);
  const messages: string[] = [];
  let isOpen = false;
  const options = {
    fs: withSmallParser(fs),
    parsers: PARSERS,
    // Later lines repeat statements, and with them words of people.
    onStderr: (line: string) => !isOpen && messages.push(line) > 0,
    // Without -F, which turns fsync off. fdatasync never reaches the file system layer, fsync does.
    startParams: [
      ...PGlite.defaultStartParams.filter((p) => p !== '-F'),
      ...SETTINGS.flatMap((setting) => ['-c', setting]),
    ],
  };
  const pglite = await PGlite.create(options).catch(async (cause: unknown) => {
    await fs.close();
    throw new OpeningFailed(messages, cause);
  });
  isOpen = true;
  endWithPostgres(pglite, failed);
  waitAfterEach(pglite, fs.log);
  const close = pglite.close.bind(pglite);
  pglite.close = async () => {
    try {
      await close();
    } finally {
      await fs.close();
    }
  };
  // One at a time: the tables of the next must not count with this one.
  let last: Promise<unknown> = Promise.resolve();
  const checkpoint = () => {
    const mine = last.then(() => checkpointBeside(pglite, fs));
    last = mine.catch(() => {});
    return mine;
  };
  return Object.assign(pglite, { checkpoint });
}

async function checkpointBeside(pglite: PGlite, { log, checkpoint }: DurableNodeFs): Promise<void> {
  const { rows } = await pglite.query<{ oldest: string }>(OLDEST);
  const [{ oldest } = { oldest: '' }] = rows;
  const statement = protocol.serialize.query('checkpoint');
  await runAlone(pglite, async () => {
    // So that no page waits for the log.
    await log.done();
    await checkpoint.run(oldest, () => pglite.execProtocolStream(statement, { syncToFs: false }));
  }).finally(() => checkpoint.finish());
}
