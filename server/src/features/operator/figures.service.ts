import type { Deps } from '../../platform/deps.ts';
import { publicModelName } from '../../platform/models/models.ts';
import { countJobs, countQueued, countRunning, measureSizes } from './overview.queries.ts';

type Ctx = Pick<Deps, 'db' | 'models' | 'metrics'>;

/** Sizes are measured once in this time: that reads the row of each file. */
export const SIZES_MS = 60_000;

/**
 * Adds figures of the whole installation, which each of its processes answers alike, and how the providers are. No label is a person's word:
 * a model's name only where a provider has the model.
 */
export function measureInstallation({ db, models, metrics }: Ctx): void {
  const running = async () =>
    (await countRunning(db)).map(({ state, model, count }) => ({
      labels: { state, model: publicModelName(models, model) },
      value: count,
    }));
  const jobs = async () =>
    (await countJobs(db)).map(({ queue, state, count }) => ({ labels: { queue, state }, value: count }));
  const listed = async () =>
    models.providers().map(({ name, problem }) => ({ labels: { provider: name }, value: problem ? 0 : 1 }));
  const sizes = readRarely(SIZES_MS, () => measureSizes(db));
  const stored = async () => Object.entries(await sizes()).map(([kind, value]) => ({ labels: { kind }, value }));
  metrics.add('runs_in_flight', 'Runs that have not ended, by state and model.', running, ['state', 'model']);
  metrics.add('jobs', 'Jobs, by queue and state; failed ones of one day.', jobs, ['queue', 'state']);
  metrics.add('messages_waiting', 'Messages that wait for an answer to end.', () => countQueued(db));
  metrics.add('storage_bytes', 'Bytes of the database and of uploaded files.', stored, ['kind']);
  metrics.add('provider_up', '1 where a provider told its models when it was last asked.', listed, ['provider']);
}

/** Reads no more often than this; in between, and while it is read, everybody gets the same. What failed is read again. */
export function readRarely<T>(ms: number, read: () => Promise<T>): () => Promise<T> {
  let last: Promise<T> | undefined;
  let until = 0;
  return () => {
    if (last === undefined || performance.now() > until) {
      until = performance.now() + ms;
      last = read();
      last.catch(() => (until = 0));
    }
    return last;
  };
}
