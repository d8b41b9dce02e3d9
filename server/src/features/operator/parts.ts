import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { SENTENCES } from '@atelier/contract/errors';
import { dailyBackups } from '../../platform/backup/daily.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Deps } from '../../platform/deps.ts';
import { notFound } from '../../platform/errors.ts';
import { requireRecognition } from '../../platform/extraction/extract.ts';
import { redact } from '../../platform/redact.ts';
import { signInProbes } from '../accounts/ways-in/probe-sign-in.service.ts';
import { checkBackups } from './daily-backup.service.ts';

/** What the parts are tried with. */
export type PartsContext = Pick<
  Deps,
  'config' | 'models' | 'storage' | 'mail' | 'payments' | 'trust' | 'operatorSources' | 'surroundings'
> & { database: Pick<Database, 'kind' | 'ping' | 'hasRoom'> };

declare module '../../platform/deps.ts' {
  interface Deps {
    /** What the process found around it: misspelt variables, whether the web application is built, why an upgrade's exchange failed. */
    surroundings: { misspelt: readonly string[]; isWebBuilt: boolean; failedUpgrade?: string };
  }
}

/** A part of the installation, as the configuration sets it up. */
interface Part {
  /** For everybody, at `/readyz`. */
  name: string;
  /** Which one it is, for the operator, where there may be several. */
  of?: string;
  /** Tries it; returns what works, or throws. Undefined where it isn't set. `asks` lets it cost a few words of a model. */
  probe?: ((asks: boolean) => Promise<string>) | undefined;
  /** What to do when it is broken, or how to set it. */
  advice: string;
}

/** How a part is. */
export interface PartState {
  name: string;
  of: string;
  state: 'ok' | 'not set' | 'broken';
  /** What works, what is wrong, or what else is used, with what to do. */
  about: string;
}

/** Why a part is broken, where the sentence itself says what helps. */
export class AdvisedError extends Error {}

/** A part that gives no answer for this long is broken. */
const PROBE_MS = 5_000;

/** Tries every part, each for 5 seconds at most. Their texts are for the operator: the probes are ours, so no word of a person is in them. */
export const tryParts = (ctx: PartsContext, { asks }: { asks: boolean }): Promise<PartState[]> =>
  Promise.all(partsOf(ctx).map((part) => tryPart(part, asks)));

async function tryPart({ name, of = '', probe, advice }: Part, asks: boolean): Promise<PartState> {
  if (probe === undefined) return { name, of, state: 'not set', about: advice };
  const late = pause(PROBE_MS, undefined, { ref: false }).then(() => {
    throw new Error(`no answer within ${PROBE_MS / 1_000} seconds`);
  });
  try {
    return { name, of, state: 'ok', about: await Promise.race([probe(asks), late]) };
  } catch (error) {
    const about = error instanceof AdvisedError ? redact(error.message) : `${reasonOf(error)} ${advice}`;
    return { name, of, state: 'broken', about };
  }
}

/** What fetch, drizzle and the library of files say around the reason. */
const AROUND = /^(?:fetch failed$|Failed query:|Cannot (?:write|delete|read) file|Unable to check)/u;

/** The sentence of an error, or of the reason that a library has put into it, with the name that its kind has. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return redact(String(error));
  if (error.cause !== undefined && AROUND.test(error.message)) return reasonOf(error.cause);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  const isNamed = code.endsWith('Error') || error.message.includes(code);
  const reason = redact(`${error.message}${isNamed ? '' : ` (${code})`}`.trim());
  return /[.?!]$/u.test(reason) ? reason : `${reason}.`;
}

/** Throws in place of a probe that found something. */
const broken = (reason: string): never => {
  throw new Error(reason);
};

/** Every part, in the order in which they are shown. */
const partsOf = (ctx: PartsContext): Part[] => [
  ...ownParts(ctx),
  backups(ctx),
  mail(ctx),
  ...models(ctx),
  payments(ctx),
  ...signIn(ctx),
  ...toolServers(ctx),
  ...surroundings(ctx),
  ...upgrade(ctx),
];

function ownParts({ database, storage, config }: PartsContext): Part[] {
  const isOwn = database.kind === 'pglite';
  const answers = async () => {
    await database.ping();
    return (await database.hasRoom()) ? 'answers' : broken(SENTENCES.diskFull);
  };
  const stores = async () => {
    await storage.probe();
    return 'takes and deletes a file';
  };
  return [
    {
      name: 'database',
      of: isOwn ? `embedded, in ${resolve(config.DATA_DIR)}` : 'PostgreSQL',
      probe: answers,
      advice: isOwn ? 'Look at the disk of that folder' : 'Check DATABASE_URL, and that PostgreSQL runs there',
    },
    {
      name: 'files',
      of: config.S3_BUCKET === undefined ? resolve(config.DATA_DIR, 'files') : `bucket ${config.S3_BUCKET}`,
      probe: stores,
      advice:
        config.S3_BUCKET === undefined
          ? 'Make the folder writable for this account, and look at its disk'
          : 'Check S3_BUCKET, S3_ENDPOINT, S3_REGION and the key, and that the bucket exists',
    },
  ];
}

function backups({ config }: PartsContext): Part {
  const files = dailyBackups(config);
  if (files === null) {
    return { name: 'backups', advice: 'BACKUP_DIR names a folder for one each day, unless BACKUP_TIME is off' };
  }
  return {
    name: 'backups',
    of: files.shown(files.folder),
    probe: () => checkBackups(files, config.BACKUP_TIME),
    advice: 'One is tried each hour until it is made; `npm run backup -- --daily` tries at once',
  };
}

function mail({ mail: { kind, label, probe }, config }: PartsContext): Part {
  if (kind === 'off') return { name: 'mail', advice: 'SMTP_URL and MAIL_TO, or EMAILJS_…, send mail' };
  const advice = kind === 'smtp' ? 'Check SMTP_URL' : `Check EMAILJS_BASE_URL (${config.EMAILJS_BASE_URL})`;
  return { name: 'mail', of: label, probe, advice };
}

const toPart = (probe: Deps['models']['probe'], name: string): Part => ({
  name: 'models',
  of: name,
  probe: (asks) => probe(name, asks),
  advice: 'Check its key, its address and its models (OPENAI_…, or MODELS_FILE)',
});

/** Tries one provider of models; one of them gets a word to answer. 404 where it isn't configured. */
export async function tryProvider({ models: { providers, probe } }: Pick<Deps, 'models'>, name: string) {
  if (!providers().some((one) => one.name === name)) throw notFound('This provider');
  const { state, about } = await tryPart(toPart(probe, name), true);
  return { works: state === 'ok', about };
}

function models({ models: { providers, probe, embedder } }: PartsContext): Part[] {
  const all = providers();
  if (all.length === 0)
    return [{ name: 'models', advice: 'The built-in offline model answers; OPENAI_API_KEY connects a real one' }];
  const parts = all.map(({ name }) => toPart(probe, name));
  if (embedder === null) return parts;
  const embeds = async () => {
    await embedder.embed([`Hello ${Date.now()}`], AbortSignal.timeout(PROBE_MS));
    return 'answers';
  };
  // It costs as little as it says, but only who asks for a check shall pay it.
  const probeEmbeddings = async (asks: boolean) => (asks ? embeds() : 'is not asked at a start');
  return [
    ...parts,
    { name: 'embeddings', of: embedder.space, probe: probeEmbeddings, advice: 'Check EMBEDDING_MODEL' },
  ];
}

function payments({ payments: { current, offBecause } }: PartsContext): Part {
  if (current === null) {
    const why = offBecause === 'proxy' ? SENTENCES.paymentProxied : SENTENCES.paymentOff;
    return { name: 'payment', advice: `${why} PAYSTACK_SECRET_KEY and PAYSTACK_PUBLIC_KEY connect Paystack` };
  }
  // A payment that never was is unknown to whom takes the key; the sandbox needs none.
  const asks = async () => void (current.mode === 'sandbox' || (await current.getOutcome('atelier-probe')));
  return {
    name: 'payment',
    of: current.name,
    probe: () => asks().then(() => current.label),
    advice: 'Check PAYSTACK_SECRET_KEY and PAYSTACK_BASE_URL',
  };
}

const signIn = ({ config }: PartsContext): Part[] =>
  signInProbes(config).map(({ provider, name, probe }) => ({
    name: `sign-in by ${name}`,
    probe,
    advice: `Check ${provider.toUpperCase()}_CLIENT_ID and _SECRET, and that ${config.PUBLIC_URL}/api/auth/callback/${provider} is a redirect address of that client`,
  }));

const toolServers = ({ operatorSources }: PartsContext): Part[] =>
  operatorSources.map((source) => ({
    name: 'tool servers',
    of: source.name,
    advice: '`npm run admin -- servers` shows its last lines',
    probe: async () => {
      const { state, tools, reason } = await source.check();
      if (state === 'off' && reason === DISABLED) return 'switched off';
      return state === 'ready' ? `${tools} tools` : broken(reason);
    },
  }));

/** What the file of tool servers says of one that it disables on purpose. */
const DISABLED = 'The file disables it.';

const SETTINGS = 'settings';

function surroundings({ config, trust, surroundings: { misspelt, isWebBuilt } }: PartsContext): Part[] {
  const isUnsigned = config.DATABASE_URL !== undefined && config.AUTH_SECRET === undefined;
  const wrong = [...misspelt, ...(isUnsigned ? ['With DATABASE_URL, AUTH_SECRET is required.'] : [])];
  const reads = async () => {
    requireRecognition();
    return 'its packages are there';
  };
  return [
    {
      name: 'fetch rules',
      probe: async () => ['the public internet', ...config.FETCH_ALLOWED].join(', '),
      advice: 'Check FETCH_ALLOWED',
    },
    {
      name: 'text recognition',
      probe: reads,
      advice: 'Pictures of text stay unread; npm install brings the optional packages',
    },
    {
      name: 'web pages',
      probe: async () => (isWebBuilt ? 'built' : broken('web/build is missing')),
      advice: 'Run npm run build',
    },
    {
      name: 'network',
      of: config.PUBLIC_URL ?? '',
      probe: async () =>
        trust.hasUnnamedProxy() ? broken('a request came through a proxy without a name') : 'no unnamed proxy',
      advice: 'Set PUBLIC_URL and TRUSTED_PROXIES, and restart',
    },
    {
      name: SETTINGS,
      probe: async () => (wrong.length === 0 ? 'no unknown variable' : broken(wrong.join(' '))),
      advice: 'docs/configuration.md lists all',
    },
  ];
}

function upgrade({ surroundings: { failedUpgrade } }: PartsContext): Part[] {
  if (failedUpgrade === undefined) return [];
  const advice = '`npm run go-back` takes it back; the next start tries again';
  return [{ name: 'upgrade', probe: async () => broken(failedUpgrade), advice }];
}

/** A round of probes is as old as this before `/readyz` has them tried again. */
const ROUND_MS = 60_000;

/** The parts of a running server, tried now and then; a line in the log says when one breaks, and when it works again. */
export function watchParts(ctx: PartsContext & Pick<Deps, 'log'>) {
  let states: readonly PartState[] = [];
  let triedAt = Number.NEGATIVE_INFINITY;
  const isBroken = ({ state }: PartState) => state === 'broken';
  const same = (one: PartState) => (other: PartState) => one.name === other.name && one.of === other.of;

  /** Tries all of them; never throws. */
  async function round(): Promise<void> {
    triedAt = performance.now();
    const before = states.filter(isBroken);
    states = await tryParts(ctx, { asks: false });
    for (const { name: part, of, state, about } of states) {
      const was = before.some(same({ name: part, of, state, about }));
      if (state === 'broken' && !was) ctx.log.info('part.broken', { part, of, about });
      if (state !== 'broken' && was) ctx.log.info('part.works', { part, of, about });
    }
  }
  return {
    round,
    /** How each was when it was last tried; the first time it is tried now. */
    async states(): Promise<readonly PartState[]> {
      if (states.length === 0) await round();
      else if (performance.now() - triedAt > ROUND_MS) void round();
      return states;
    },
    /** The names of those that were broken last; begins another round when the last is old. */
    degraded(): string[] {
      if (performance.now() - triedAt > ROUND_MS) void round();
      // A misspelt variable is no part that fails.
      return [...new Set(states.filter(isBroken).map(({ name }) => name))].filter((name) => name !== SETTINGS);
    },
  };
}
