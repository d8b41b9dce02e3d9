import { setTimeout as pause } from 'node:timers/promises';
import { readOptions } from '../bench/report.ts';
import { FAULTS, type Fault } from './faults/faults.ts';
import { canMakeDisk, type Kind, openScene } from './faults/scene.ts';
import type { Findings } from './faults/writer.ts';

// Breaks what the real server depends on, under load, and counts acknowledged work that is missing, doubled or stuck.
// npm run faults -- --only "disk" --database embedded --away 60 --kills 10

const options = readOptions({ only: '', database: 'embedded,postgres', away: '60', kills: '10' });
/** A lease is 3 s here; a provider may hold an answer for 30 s. */
const GRACE_MS = 45_000;

interface Row extends Findings {
  fault: string;
  database: Kind;
  note: string;
}

async function tryFault(fault: Fault, kind: Kind): Promise<Row> {
  const [awayMs, kills] = [Number(options.away) * 1_000, Number(options.kills)];
  const scene = { ...(await openScene(kind, fault.disk)), awayMs, kills };
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
      note: server.deaths() > 0 ? `${note}; the process ended ${server.deaths()} times` : note,
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
