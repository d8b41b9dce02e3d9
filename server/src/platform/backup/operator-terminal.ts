import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { type Config, readConfig } from '../../config.ts';
import { sentenceOf } from '../logged-error.ts';
import { isBucket } from './backup-files.ts';
import { BUSY_CODE, Busy } from './backup-folder.ts';

const EVERY_MS = 250;
const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

/** A size for people: `1.2 GB`. */
export function shownSize(bytes: number): string {
  const at = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  return `${(bytes / 1000 ** at).toFixed(at === 0 ? 0 : 1)} ${UNITS[at]}`;
}

function shownTime(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}

type Environment = Parameters<typeof readConfig>[0];

/** Where the operator means, who typed it elsewhere than where npm starts us. */
export const resolveTarget = (name: string, { INIT_CWD = '.' }: Environment): string =>
  isBucket(name) ? name : resolve(INIT_CWD, name);

/** One line of a terminal that says how far a piece of work is; elsewhere nothing is written. */
export function showProgress(what: string) {
  const started = performance.now();
  let shownAt = 0;
  const write = (text: string) => process.stderr.isTTY && process.stderr.write(`\r\u001b[K${text}`);
  return {
    show(done: number, all?: number): void {
      const now = performance.now();
      if (now - shownAt < EVERY_MS) return;
      shownAt = now;
      // What was only estimated may be surpassed.
      const part = all === undefined ? 0 : Math.min(0.99, done / Math.max(1, all));
      const remaining = part > 0.01 ? `, ${shownTime(((now - started) / 1000) * (1 / part - 1))} left` : '';
      write(`${what}: ${shownSize(done)}${all === undefined ? '' : ` of about ${shownSize(all)}`}${remaining}`);
    },
    end: () => write(''),
  };
}

export const say = (text: string): void => void process.stdout.write(`${text}\n`);

const parse = <Options extends ParseArgsOptionsConfig>(options: Options) =>
  parseArgs({ options, allowPositionals: true });
type Parsed<Options extends ParseArgsOptionsConfig> = ReturnType<typeof parse<Options>>;

/** Runs a command of the operator with its options, its arguments and the settings; an error becomes a sentence and an exit code. */
export async function runCommand<Options extends ParseArgsOptionsConfig>(
  environment: Environment,
  options: Options,
  work: (parsed: Parsed<Options>, config: Config) => Promise<void>,
): Promise<void> {
  try {
    await work(parse(options), readConfig(environment));
  } catch (error) {
    process.stderr.write(`${sentenceOf(error)}\n`);
    process.exitCode = error instanceof Busy ? BUSY_CODE : 1;
  }
}

type Settings = Pick<Config, 'BACKUP_PASSPHRASE' | 'BACKUP_PASSPHRASE_FILE'>;

/** The passphrase of a variable or a file; undefined where there is none. */
export function passphraseOf({ BACKUP_PASSPHRASE, BACKUP_PASSPHRASE_FILE: file }: Settings): string | undefined {
  if (BACKUP_PASSPHRASE !== undefined || file === undefined) return BACKUP_PASSPHRASE;
  const first = existsSync(file) ? readFileSync(file, 'utf8').split('\n')[0]?.trim() : undefined;
  if (first === undefined || first === '')
    throw new Error(`${file}, which BACKUP_PASSPHRASE_FILE names, has no passphrase in its first line.`);
  return first;
}

/** The same, or that of a person at a terminal, who types a new one twice. */
export async function findPassphrase(settings: Settings, isNew: boolean): Promise<string | undefined> {
  const set = passphraseOf(settings);
  if (set !== undefined) return set;
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined;
  const typed = await askHidden('Passphrase: ');
  if (typed === '') throw new Error('No passphrase was typed.');
  if (isNew && (await askHidden('The same again: ')) !== typed) throw new Error('The two passphrases differ.');
  return typed;
}

async function askHidden(question: string): Promise<string> {
  process.stderr.write(question);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  try {
    return await lines.question('');
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
}
