import { type Figure, median } from '../report.ts';
import type { Past } from './accounts.ts';
import { type Account, exchange, openSession } from './client.ts';
import type { MeasuredProcess } from './measured-process.ts';

const [ROUNDS, WARM_UP] = [20, 3];
/** Loading the largest memory after the start takes seconds; each try is an exchange. */
const LOADING_TRIES = 500;

/** What accounts have: nothing, a week's exchanges, ten and a hundred times as much, and one long conversation. */
export const growthOf = (base: number, session: number): Record<string, Past | undefined> => ({
  empty: undefined,
  ...Object.fromEntries(
    [1, 10, 100].map((times) => [
      `an account of ${(base * times).toLocaleString('en-US')} exchanges`,
      { exchanges: base * times, aSession: 10 },
    ]),
  ),
  [`a session of ${session.toLocaleString('en-US')}`]: { exchanges: session, aSession: session },
});

interface Grown {
  server: MeasuredProcess;
  accounts: Account[];
  names: string[];
  questions: string[];
}

/** First token and opening of a session, for each account in turn, so that a busy moment of the machine is everyone's; the first is the floor. */
export async function measureGrowth({ server, accounts, names, questions }: Grown): Promise<Figure[]> {
  for (const account of accounts) {
    for (let i = 0; i < LOADING_TRIES && (await exchange(server, account, questions[0] ?? '')).partial; i += 1);
  }
  const measures = {
    'first token': async (account: Account, round: number) =>
      (await exchange(server, account, questions.at(round) ?? '')).first,
    // After the exchanges, so that each of the measured sessions has at least those.
    'opening a session': (account: Account) => openSession(server, account),
  };
  const figures: Figure[] = [];
  for (const [what, measure] of Object.entries(measures)) {
    const times = accounts.map(() => [] as number[]);
    for (let round = -WARM_UP; round < ROUNDS; round += 1) {
      // Another begins each time: the one after a large account pays for what that left.
      for (const turn of accounts.keys()) {
        const at = (turn + round + WARM_UP) % accounts.length;
        const account = accounts[at];
        const ms = account === undefined ? Number.NaN : await measure(account, round);
        if (round >= 0) times[at]?.push(ms);
      }
    }
    const [floor, ...grown] = times.map(median);
    figures.push(...grown.map((ours, i) => ({ what: `${what}, ${names[i + 1]}`, unit: 'ms', floor, ours })));
  }
  return figures;
}
