import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startFakeOpenAI } from '../server/src/testing/fake-openai.ts';
import { canMakeDisk, makeDisk } from './faults/disk.ts';
import { FAULTS, type Fault } from './faults/faults.ts';
import type { Kind, Scene } from './faults/scene.ts';
import { pause, Server } from './faults/server.ts';
import { type Findings, Writer } from './faults/writer.ts';
import { findOrInstallPostgres, POSTGRES_ADVICE, startPostgres } from './postgres.ts';

// Breaks what the real server depends on, under load, and counts acknowledged work that is missing, doubled or stuck.
// npm run faults -- --only "disk" --database embedded --away 60 --kills 10

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    database: { type: 'string', default: 'embedded,postgres' },
    away: { type: 'string', default: '60' },
    kills: { type: 'string', default: '10' },
  },
});
const WRITERS = 4;
const DISK_MB = 400;
/** A lease is 3 s here; a provider may hold an answer for 30 s. */
const GRACE_MS = 45_000;

interface Row {
  fault: string;
  database: Kind;
  acknowledged: number;
  lost: number;
  doubled: number;
  stuck: number;
  note: string;
}

async function openScene(fault: Fault, kind: Kind): Promise<Scene & { close(): Promise<void> }> {
  const disk = fault.disk === true ? makeDisk(DISK_MB) : undefined;
  const parent = disk?.folder ?? tmpdir();
  const folder = mkdtempSync(join(parent, 'atelier-faults-'));
  const bin = kind === 'postgres' ? findOrInstallPostgres() : undefined;
  if (kind === 'postgres' && bin === undefined) throw new Error(POSTGRES_ADVICE);
  const postgres = bin === undefined ? undefined : await startPostgres(bin, { durable: true, parent });
  const provider = await startFakeOpenAI({ deltas: 10, delayMs: 20 });
  const server = await Server.start({
    DATA_DIR: folder,
    OPENAI_BASE_URL: provider.url,
    MODEL_TIMEOUT_MS: '2000',
    ...(postgres === undefined ? {} : { DATABASE_URL: postgres.url }),
  });
  const close = async () => {
    await server.stop();
    await provider.close();
    await postgres?.stop();
    rmSync(folder, { recursive: true, force: true });
    disk?.remove();
  };
  const writers = await Promise.all(Array.from({ length: WRITERS }, () => Writer.start(server))).catch(
    async (error: unknown) => {
      await close();
      throw error;
    },
  );
  const [awayMs, kills] = [Number(options.away) * 1_000, Number(options.kills)];
  return { kind, server, writers, provider, postgres, disk, folder, awayMs, kills, close };
}

async function tryFault(fault: Fault, kind: Kind): Promise<Row> {
  const scene = await openScene(fault, kind);
  const { writers, server } = scene;
  try {
    const writing = Promise.all(writers.map((writer) => writer.write()));
    await pause(1_000);
    const note = await fault.happen(scene);
    await pause(3_000);
    for (const writer of writers) writer.stop();
    await writing;
    const found = await Promise.all(writers.map((writer) => writer.verify(GRACE_MS)));
    const sum = (key: keyof Findings) => found.reduce((total, one) => total + one[key], 0);
    return {
      fault: fault.name,
      database: kind,
      acknowledged: sum('acknowledged'),
      lost: sum('lost'),
      doubled: sum('doubled'),
      stuck: sum('stuck'),
      note: server.deaths > 0 ? `${note}; the process ended ${server.deaths} times` : note,
    };
  } finally {
    for (const writer of writers) writer.stop();
    await scene.close();
  }
}

const rows: Row[] = [];
const failures: string[] = [];
for (const fault of FAULTS.filter(({ name }) => name.includes(options.only))) {
  for (const kind of fault.on.filter((name) => options.database.includes(name))) {
    if (fault.disk === true && !canMakeDisk()) {
      console.log(`${fault.name} on ${kind}: left out, since only root on Linux can make a small disk`);
      continue;
    }
    console.log(`${fault.name} on ${kind} …`);
    try {
      rows.push(await tryFault(fault, kind));
    } catch (error) {
      failures.push(`${fault.name} on ${kind}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}
console.table(rows);
for (const failure of failures) console.log(`FAILED: ${failure}`);
const isClean = rows.every(({ lost, doubled, stuck, note }) => lost + doubled + stuck === 0 && !note.includes('never'));
process.exitCode = isClean && failures.length === 0 ? 0 : 1;
