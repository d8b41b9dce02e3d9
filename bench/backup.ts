// What a backup costs: how long ten people who write and upload wait meanwhile, beside the same without one; and how long it takes and at
// most holds in memory, beside `tar | zstd` of the same data folder, with `pg_dump -Fc` where the database is elsewhere.
//   npm run bench:backup -- [--files 500] [--megabytes 2] [--more-rows 800000] [--databases embedded,postgres] [--json]
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { bundleServer } from '../server/src/testing/bundle.ts';
import { formOf, requestOf } from '../server/src/testing/requests.ts';
import { makeAccounts } from './exchange/accounts.ts';
import type { Account } from './exchange/client.ts';
import { BOTH, type CreateDatabase, measureOn, withServer } from './exchange/measured-process.ts';
import { fillAccount } from './large-account.ts';
import { type Figure, median, readOptions, report } from './report.ts';

const values = readOptions({ files: '500', megabytes: '2', 'more-rows': '800000', databases: BOTH });
const WRITERS = 10;
const [WARM_UP_MS, IDLE_MS] = [5_000, 20_000];
/** Between two writes of a person. */
const PAUSE_MS = 100;
const PASSPHRASE = 'four words for the bench';

/** Files that shrink to three quarters, as photographs and documents together do. */
function storeFiles(folder: string): void {
  const place = join(folder, 'files', 'userFiles', 'bench');
  mkdirSync(place, { recursive: true });
  for (let i = 0; i < Number(values.files); i += 1)
    writeFileSync(join(place, String(i)), randomBytes(Number(values.megabytes) * 750_000).toString('base64'));
  // Otherwise the first flush of the backup would take them along.
  execFileSync('sync');
}

/** Runs a program to its end; resolves with the seconds that it took and the most memory of its process. */
async function timed(command: string, args: string[], env: Record<string, string> = {}) {
  const since = performance.now();
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'inherit'] });
  let peakMb = 0;
  const look = setInterval(() => {
    const most = /^VmHWM:\s+(\d+)/mu.exec(statusOf(child.pid))?.[1];
    peakMb = Math.max(peakMb, Number(most ?? 0) / 1024);
  }, 50);
  const [code] = await once(child, 'exit');
  clearInterval(look);
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}`);
  return { seconds: (performance.now() - since) / 1000, peakMb };
}

function statusOf(pid: number | undefined): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return '';
  }
}

/** Renames a session and attaches a text in turns until it is over; each answer's wait in milliseconds. */
async function write(address: string, { cookie, sessionId }: Account, over: AbortSignal): Promise<number[]> {
  const waits: number[] = [];
  const session = `${address}/api/sessions/${sessionId}`;
  for (let i = 0; !over.aborted; i += 1) {
    const file = formOf(`${i}.txt`, `The kiln in Faro is fired on Mondays, ${i}.`);
    const since = performance.now();
    const answer = await (i % 2 === 0
      ? fetch(session, requestOf(address, cookie, 'PATCH', { name: `Kiln ${i}` }))
      : fetch(`${session}/attachments`, requestOf(address, cookie, 'POST', file)));
    if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
    await answer.text();
    waits.push(performance.now() - since);
    await pause(PAUSE_MS);
  }
  return waits;
}

async function waitsWhile(address: string, writers: Account[], work: () => Promise<unknown>): Promise<number[]> {
  const over = new AbortController();
  const writing = writers.map((account) => write(address, account, over.signal));
  await work();
  over.abort();
  return (await Promise.all(writing)).flat();
}

/** The large account, its files and ten more people. */
async function furnish(create: CreateDatabase) {
  const { env, filled } = await create(async (database) => {
    const [owner, fan, ...writers] = await makeAccounts(database, Array<undefined>(WRITERS + 2).fill(undefined));
    if (owner === undefined || fan === undefined) throw new Error('no accounts');
    await fillAccount(database, owner.uid, fan.uid);
    // A statement may take so long only.
    const more = database.kind === 'postgres' ? Number(values['more-rows']) : 0;
    for (let rows = 0; rows < more; rows += 20_000) {
      await database.executeSql(
        `insert into memories (user_id, id, agent_id, session_id, kind, text, version)
         select user_id, gen_random_uuid(), agent_id, session_id, kind, text, version
         from generate_series(1, 20), (select * from memories where user_id = $1 limit 1000) m`,
        [owner.uid],
      );
    }
    return writers;
  });
  storeFiles(env.DATA_DIR ?? '');
  return { env, writers: filled };
}

async function measure(create: CreateDatabase): Promise<Figure[]> {
  const { env, writers } = await furnish(create);
  const [folder, program] = [env.DATA_DIR ?? '', join(dirname(bundleServer()), 'backup.js')];
  const file = (name: string) => join(folder, '..', name);
  const backUp = (name: string, more: Record<string, string>) =>
    timed(process.execPath, [program, file(name), ...(more.BACKUP_PASSPHRASE ? [] : ['--plain'])], { ...env, ...more });
  const waits = await withServer('shipped', { ...env, ACCOUNT_BOUNDS: '1000' }, async ({ address }) => {
    await waitsWhile(address, writers, () => pause(WARM_UP_MS));
    const idle = await waitsWhile(address, writers, () => pause(IDLE_MS));
    const during = await waitsWhile(address, writers, () => backUp('beside', {}));
    return { idle, during };
  });
  const plain = await backUp('plain', {});
  const encrypted = await backUp('encrypted', { BACKUP_PASSPHRASE: PASSPHRASE });
  // Where the database is embedded, its files are beside the others.
  const packed = env.DATABASE_URL ? 'files' : '.';
  const tar = await timed('sh', ['-c', `tar c -C ${folder} ${packed} | zstd -q -3 > ${file('tar.zst')}`]);
  const dump = env.DATABASE_URL && (await timed('pg_dump', ['-Fc', '-f', file('dump'), env.DATABASE_URL]));
  const floor = tar.seconds + (dump ? dump.seconds : 0);
  for (const name of ['beside', 'plain', 'encrypted', 'tar.zst', 'dump']) rmSync(file(name), { force: true });
  return [
    { what: 'slowest write', unit: 'ms', floor: Math.max(...waits.idle), ours: Math.max(...waits.during) },
    { what: 'median write', unit: 'ms', floor: median(waits.idle), ours: median(waits.during) },
    { what: 'backup, plain', unit: 's', floor, ours: plain.seconds },
    { what: 'backup, encrypted', unit: 's', floor, ours: encrypted.seconds },
    { what: 'most memory, plain', unit: 'MB', ours: plain.peakMb },
    { what: 'most memory, encrypted', unit: 'MB', ours: encrypted.peakMb },
  ];
}

report(
  `${values.files} files of ${values.megabytes} MB and an account of 100,000 memories; the floor is an idle server, and tar | zstd of the data folder, with pg_dump -Fc where the database is elsewhere`,
  await measureOn(values.databases, measure),
);
