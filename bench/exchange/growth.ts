import type { Past } from './accounts.ts';
import { type Account, exchange, openSession } from './client.ts';
import { median } from './measure.ts';

const WARM_UP = 3;
/** Loading the largest memory after the start takes seconds; each try is an exchange. */
const LOADING_TRIES = 500;

export interface Grown {
  name: string;
  /** Medians in milliseconds. */
  first: number;
  open: number;
}

/** Accounts by how much they have: nothing, a week's exchanges, ten and a hundred times as much, and one long conversation. */
export const growthOf = (base: number, session: number): { name: string; past?: Past }[] => [
  { name: 'empty' },
  ...[1, 10, 100].map((times) => ({
    name: `an account of ${(base * times).toLocaleString('en-US')} exchanges`,
    past: { exchanges: base * times, aSession: 10 },
  })),
  { name: `a session of ${session.toLocaleString('en-US')}`, past: { exchanges: session, aSession: session } },
];

/** First token and opening of a session, for each account in turn, so that a busy moment of the machine is everyone's. */
export async function measureGrowth(
  accounts: (Account & { name: string })[],
  { rounds, questions }: { rounds: number; questions: string[] },
): Promise<Grown[]> {
  const all = accounts.map((account) => ({ account, firsts: [] as number[], opens: [] as number[] }));
  for (const { account } of all) {
    for (let i = 0; i < LOADING_TRIES && (await exchange(account, questions[0] ?? '')).partial; i += 1);
  }
  // Another begins each time: the one after a large account pays for what that left.
  const inTurn = (round: number) =>
    all.map((_, i) => all.at((i + round) % all.length)).filter((one) => one !== undefined);
  for (let round = -WARM_UP; round < rounds; round += 1) {
    for (const { account, firsts } of inTurn(round)) {
      const { first } = await exchange(account, questions.at(round) ?? '');
      if (round >= 0) firsts.push(first);
    }
  }
  // After the exchanges, so that each of the measured sessions has at least those.
  for (let round = -WARM_UP; round < rounds; round += 1) {
    for (const { account, opens } of inTurn(round)) {
      const ms = await openSession(account);
      if (round >= 0) opens.push(ms);
    }
  }
  return all.map(({ account, firsts, opens }) => ({ name: account.name, first: median(firsts), open: median(opens) }));
}
