import type { Overview } from '@atelier/contract/operator/overview';
import { programVersion } from '../../platform/database/bring-up-to-date.ts';
import type { Deps } from '../../platform/deps.ts';
import { lastBackupAt } from './daily-backup.service.ts';
import { readRarely, SIZES_MS } from './figures.service.ts';
import { changedTools, countActive, countDue, measureSizes, sumToday } from './overview.queries.ts';
import type { PartState } from './parts.ts';

/** Accounts are counted once in this time: that looks at each. */
const ACTIVE_MS = 300_000;

/** How the parts of the installation were when they were last tried. */
export interface PartStates {
  states: () => Promise<readonly PartState[]>;
}

/** Reads how the installation is; what takes long is read now and then. */
export function createOverview(
  { db, config, operatorSources }: Pick<Deps, 'db' | 'config' | 'operatorSources'>,
  parts: PartStates,
): () => Promise<Overview> {
  const active = readRarely(ACTIVE_MS, () => countActive(db));
  const sizes = readRarely(SIZES_MS, () => measureSizes(db));
  // Where it can't be read, the part says why.
  const backup = readRarely(SIZES_MS, () => lastBackupAt(config).catch(() => null));
  const version = programVersion();
  const servers = operatorSources.map(({ key }) => key);
  return async () => {
    const [used, { errors, ...due }] = [await sumToday(db), await countDue(db)];
    const sum = (name: 'exchanges' | 'input' | 'output') => used.reduce((all, row) => all + row[name], 0);
    return {
      version,
      people: await active(),
      today: {
        exchanges: sum('exchanges'),
        errors,
        inputTokens: sum('input'),
        outputTokens: sum('output'),
        costs: used.flatMap(({ currency, cost }) => (currency === '' ? [] : [{ currency, amount: cost }])),
      },
      storage: await sizes(),
      lastBackupAt: (await backup())?.toISOString() ?? null,
      parts: [...(await parts.states())],
      due: { ...due, changedTools: await changedTools(db, servers) },
    };
  };
}
