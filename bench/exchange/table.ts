import type { Kind } from './database-server.ts';
import type { Grown } from './growth.ts';
import { type Compared, CROWDS, type Measured, type SentByOne } from './measure.ts';

export interface Result {
  kind: Kind;
  compared: Compared;
  sent: SentByOne;
  growth?: Grown[];
}

interface Row {
  measured: string;
  unit: string;
  /** Of the provider alone, or of an empty account; some figures have none. */
  floor?: number | undefined;
  ours: number | undefined;
}

function comparedRows({ floor, served }: Compared, sent: SentByOne): Row[] {
  const row = (measured: string, unit: string, of: (side: Measured) => number): Row => ({
    measured,
    unit,
    floor: of(floor),
    ours: of(served),
  });
  const only = (measured: string, unit: string, ours: number | undefined): Row => ({ measured, unit, ours });
  const firsts = ([1, 50] as const).flatMap((crowd) =>
    (['median', 'p95'] as const).map((share) =>
      row(`first token, ${crowd} at a time, ${share}`, 'ms', ({ speeds }) => speeds[crowd].first[share]),
    ),
  );
  return [
    ...firsts,
    ...CROWDS.map((crowd) => row(`exchanges, ${crowd} at a time`, '/s', ({ speeds }) => speeds[crowd].perSecond)),
    only('statements an exchange', '', sent.statements),
    only('statements an exchange, 50 at a time, with jobs', '', sent.crowded),
    only('round trips an exchange', '', sent.roundTrips),
    only('round trips before the provider', '', sent.beforeProvider.roundTrips),
    row('CPU of the server an exchange, 50 at a time', 'ms', ({ speeds }) => speeds[50].cpuMs),
    only('CPU of the database an exchange, 50 at a time', 'ms', served.speeds[50].databaseCpuMs || undefined),
    row('memory (RSS) at rest', 'MB', ({ restMb }) => restMb),
    row('memory (RSS) under load, largest', 'MB', ({ loadMb }) => loadMb),
  ];
}

function growthRows(growth: Grown[]): Row[] {
  const [empty, ...grown] = growth;
  return (['first', 'open'] as const).flatMap((key) =>
    grown.map((account) => ({
      measured: `${key === 'first' ? 'first token' : 'opening a session'}, ${account.name}`,
      unit: 'ms',
      floor: empty?.[key],
      ours: account[key],
    })),
  );
}

const shown = (value: number | undefined, unit: string) =>
  value === undefined ? '' : `${value >= 100 ? value.toFixed(0) : value.toFixed(1)} ${unit}`.trim();

/** Three significant digits. */
const ratioOf = ({ floor, ours }: Row) =>
  floor === undefined || ours === undefined ? '' : String(Number((ours / floor).toPrecision(3)));

/** One row for each figure; each database has its figure between its floor and the ratio of the two. */
export function toTable(results: Result[]): Record<string, Record<string, string>> {
  const table: Record<string, Record<string, string>> = {};
  for (const { kind, compared, sent, growth } of results) {
    for (const row of [...comparedRows(compared, sent), ...growthRows(growth ?? [])]) {
      table[row.measured] = {
        ...table[row.measured],
        [`floor, ${kind}`]: shown(row.floor, row.unit),
        [kind]: shown(row.ours, row.unit),
        [`ratio, ${kind}`]: ratioOf(row),
      };
    }
  }
  return table;
}
