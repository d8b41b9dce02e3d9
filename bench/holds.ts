// The longest time the server is blocked, on an embedded database with many memories of one account: the longest turn of its event loop,
// without the time in which other programs had the processors; and how much of it was its own work instead of waiting for the disk.
// Compared with the floor in the same run: reading every memory once, in one statement, as a search without an index must.
//   node scripts/run.mjs bench/holds.ts [--memories 100000] [--rounds 5] [--json]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openDurablePglite } from '../server/src/platform/database/durable-node-fs.ts';
import { startMaintenance } from '../server/src/platform/database/maintenance.ts';
import { openEmbedded } from '../server/src/platform/database/pglite.ts';
import { silentLog } from '../server/src/platform/log.ts';
import { testApp } from '../server/src/testing/harness.ts';
import { type LoopLag, measureLoopLag } from '../server/src/testing/loop-lag.ts';
import { storeTexts } from './made-memories.ts';
import { makeTexts } from './made-texts.ts';

const { values } = parseArgs({
  options: {
    memories: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '5' },
    json: { type: 'boolean', default: false },
  },
});
const ROUNDS = Number(values.rounds);
const root = mkdtempSync(join(tmpdir(), 'atelier-bench-'));
const folder = join(root, 'data');

const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

type Hold = Pick<LoopLag, 'own' | 'busy'>;
const middle = (holds: Hold[]): Hold => ({
  own: median(holds.map(({ own }) => own)),
  busy: median(holds.map(({ busy }) => busy)),
});

/** The median over all rounds of each round's longest hold, in milliseconds; the first round warms up. */
async function holdOf(run: (round: number) => Promise<unknown>): Promise<Hold> {
  const holds: Hold[] = [];
  for (let round = -1; round < ROUNDS; round += 1) {
    const stop = measureLoopLag();
    await run(round);
    const hold = stop();
    if (round >= 0) holds.push(hold);
  }
  return middle(holds);
}

async function measureServing(): Promise<Record<string, Hold>> {
  const { database } = await openEmbedded(folder, silentLog);
  const app = await testApp({ database });
  const ada = await app.signUp('Ada');
  await app.grantPro(ada.uid);
  await app.request('POST', '/api/agents', { as: ada, body: { name: 'Bench', prompt: 'p' } });
  const { rows } = await database.executeSql('select id from agents limit 1');
  const place = { userId: ada.uid, agentId: String(rows[0]?.id) };
  const texts = makeTexts(Number(values.memories));
  await storeTexts(
    database,
    place,
    texts.map((text, i) => (i % 5_000 === 0 ? `${text} zanzibar` : text)),
  );
  const get = async (path: string) => {
    const answer = await app.request('GET', path, { as: ada });
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`);
    return answer.body;
  };
  /** Piece by piece, as a network takes it: joining 37 MB would block the thread longer than making them. */
  const read = async (path: string) => {
    const { body } = await app.app.request(`http://localhost${path}`, { headers: { cookie: ada.cookie } });
    for await (const _piece of body ?? []);
  };
  const search = (q: string) => () => get(`/api/search?q=${q}`);
  const deep = Buffer.from(JSON.stringify([new Date(Date.UTC(2026, 0, 1, 0, 5)), place.agentId])).toString('base64url');
  const holds = {
    floor: await holdOf(() =>
      database.executeSql(`select count(*) from memories where user_id = $1 and text ilike '%zanzibar%'`, [ada.uid]),
    ),
    'search, a rare word': await holdOf(search('zanzibar')),
    'search, the commonest word': await holdOf(search('the+agent')),
    'search, one letter': await holdOf(search('p')),
    'search, three letters': await holdOf(search('pla')),
    'Memory page': await holdOf(() => get('/api/memories')),
    'Memory page, deep': await holdOf(() => get(`/api/memories?cursor=${deep}`)),
    'Memory page, of a kind that nothing is of': await holdOf(() => get('/api/memories?kind=file')),
    'Memory page, pinned': await holdOf(() => get('/api/memories?pinned=1')),
    'Memory page, a rare word': await holdOf(() => get('/api/memories?q=zanzibar')),
    'export of the memories': await holdOf(() => read('/api/memories/export')),
    'export of the account': await holdOf(() => read('/api/export')),
  };
  await app.close();
  await database.close();
  return holds;
}

/** Each maintenance statement after a thousand changes, on the same folder. */
async function measureMaintenance(): Promise<Record<string, Hold>> {
  const pglite = await openDurablePglite(join(folder, 'db'));
  const maintenance = startMaintenance(pglite, silentLog);
  const worst: Record<string, Hold[]> = {};
  for (let round = -1; round < ROUNDS; round += 1) {
    await pglite.exec(
      `update memories set version = version + 1 where id in (select id from memories order by random() limit 1000)`,
    );
    for (;;) {
      const stop = measureLoopLag();
      const statement = await maintenance.step();
      const hold = stop();
      if (statement === undefined) break;
      const name = `maintenance, ${statement.replaceAll(/ .*\.| (?=\()/gu, ' ')}`;
      worst[name] = [...(worst[name] ?? []), hold];
    }
  }
  await maintenance.stop();
  await pglite.close();
  return Object.fromEntries(Object.entries(worst).map(([name, holds]) => [name, middle(holds)]));
}

try {
  const { floor = { own: Number.NaN, busy: Number.NaN }, ...holds } = await measureServing();
  const all = { ...holds, ...(await measureMaintenance()) };
  console.log(
    `the longest hold in ms, median of ${ROUNDS}; ${values.memories} memories of one account; at most 100 is allowed`,
  );
  console.table(
    Object.entries(all).map(([what, hold]) => ({
      what,
      hold: hold.own.toFixed(0),
      ownWork: hold.busy.toFixed(0),
      floor: floor.busy.toFixed(0),
      ratio: (hold.busy / floor.busy).toFixed(2),
    })),
  );
  if (values.json) console.log(JSON.stringify({ floor, holds: all }));
} finally {
  rmSync(root, { recursive: true, force: true });
}
