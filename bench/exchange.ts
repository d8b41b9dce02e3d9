// How long an exchange takes through the server, compared with the same exchange straight to the provider, in one run.
//   node bench/exchange.ts [--rounds 30] [--json]
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { startServer } from '../e2e/server.ts';
import { startFakeOpenAI } from '../server/src/testing/fake-openai.ts';
import { type Caller, signIn } from './exchange-caller.ts';

const options = { rounds: { type: 'string', default: '30' }, json: { type: 'boolean', default: false } } as const;
const { values } = parseArgs({ options });
const ROUNDS = Number(values.rounds);
const CROWD = 50;

/** Like a real provider: forty pieces, ten milliseconds apart. */
const PACED = { text: 'The fjords are best seen from the slow train. '.repeat(8), deltas: 40, delayMs: 10 };
const AT_ONCE = { ...PACED, delayMs: 0 };

interface Timing {
  first: number;
  total: number;
}

const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
const summed = (timings: Timing[]): Timing => ({
  first: median(timings.map(({ first }) => first)),
  total: median(timings.map(({ total }) => total)),
});

/** Reads a stream of server-sent events to its end; `first` is when `isWord` first held for the received text. */
async function timed(ask: () => Promise<Response>, isWord: (soFar: string) => boolean): Promise<Timing> {
  const start = performance.now();
  const response = await ask();
  if (!response.ok || response.body === null) throw new Error(`${response.status} ${await response.text()}`);
  let soFar = '';
  let first: number | undefined;
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    soFar += chunk;
    if (first === undefined && isWord(soFar)) first = performance.now() - start;
  }
  if (first === undefined) throw new Error(`no word came: ${soFar.slice(0, 1500)}`);
  return { first, total: performance.now() - start };
}

const straight = (url: string) => () =>
  timed(
    () =>
      fetch(`${url}/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'gpt-4', stream: true, messages: [{ role: 'user', content: 'Which train?' }] }),
      }),
    (soFar) => soFar.includes('"content":"'),
  );

const through = (caller: Caller, sessionId: string) => () =>
  timed(
    () => caller.exchange(sessionId, 'Which train?'),
    (soFar) => /"(?:text|message)":"[^"]/u.test(soFar),
  );

async function oneByOne(rounds: number, exchange: () => Promise<Timing>): Promise<Timing[]> {
  const timings: Timing[] = [];
  for (let i = 0; i < rounds; i++) timings.push(await exchange());
  return timings;
}

/** Exchanges per second, with one at a time for each given way to have one. */
async function perSecond(rounds: number, exchanges: (() => Promise<Timing>)[]): Promise<number> {
  const start = performance.now();
  const done = await Promise.all(exchanges.map((exchange) => oneByOne(rounds, exchange)));
  return (done.flat().length / (performance.now() - start)) * 1000;
}

const provider = await startFakeOpenAI(PACED);
const server = await startServer({
  OPENAI_BASE_URL: provider.url,
  OPENAI_API_KEY: 'sk-bench-0123456789',
  // One account stands for fifty people.
  ACCOUNT_BOUNDS: '1000',
});
try {
  const caller = await signIn(server);
  const sessions = await Promise.all(Array.from({ length: CROWD }, () => caller.startSession()));
  const [session = ''] = sessions;
  await oneByOne(3, through(caller, session));
  const direct = summed(await oneByOne(ROUNDS, straight(provider.url)));
  const served = summed(await oneByOne(ROUNDS, through(caller, session)));

  provider.behave(AT_ONCE);
  const ways = sessions.map((id) => through(caller, id));
  const speed = {
    one: {
      direct: await perSecond(ROUNDS, [straight(provider.url)]),
      served: await perSecond(ROUNDS, ways.slice(0, 1)),
    },
    fifty: {
      direct: await perSecond(
        4,
        sessions.map(() => straight(provider.url)),
      ),
      served: await perSecond(4, ways),
    },
  };
  const row = (name: string, floor: number, ours: number, unit: string) => ({
    measured: name,
    'straight to the provider': `${floor.toFixed(1)} ${unit}`,
    'through the server': `${ours.toFixed(1)} ${unit}`,
    ratio: (ours / floor).toFixed(2),
  });
  console.log(
    `Medians of ${ROUNDS}; a paced answer of ${PACED.deltas} pieces ${PACED.delayMs} ms apart; speed without pauses`,
  );
  console.table([
    row('time to first token', direct.first, served.first, 'ms'),
    row('total of an exchange', direct.total, served.total, 'ms'),
    row('exchanges, 1 at a time', speed.one.direct, speed.one.served, '/s'),
    row(`exchanges, ${CROWD} at a time`, speed.fifty.direct, speed.fifty.served, '/s'),
  ]);
  if (values.json) console.log(JSON.stringify({ direct, served, speed }));
} finally {
  await server.stop();
  await provider.close();
}
