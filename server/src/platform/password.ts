import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import pLimit from 'p-limit';
import { AppError } from './errors.ts';

/** Two at once leave half of the thread pool, and of most machines, free; a hundred waiting take a bit more than a second. */
export const hashing = createGate({ atOnce: 2, waiting: 100 });

const argon = promisify(argon2);
const derive = (...args: Parameters<typeof argon>) => hashing.run(() => argon(...args));

/** The cost of argon2id: memory in KiB, passes, lanes. */
export interface PasswordCost {
  memory: number;
  passes: number;
  parallelism: number;
}

/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane; about 25 ms on the thread pool. */
export const OWASP_COST: PasswordCost = { memory: 19_456, passes: 2, parallelism: 1 };
const TAG_BYTES = 32;
const FORMAT = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([\w+/]{11,86})\$([\w+/]{22,86})$/;

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replaceAll('=', '');

/** Two keyboards may encode the same é differently; both must match. */
const message = (password: string) => Buffer.from(password.normalize('NFKC'), 'utf8');

/** Hashes a password with argon2id and a fresh salt, off the main thread; the result includes its cost. Throws 503 when too many wait. */
export async function hashPassword(password: string, cost: PasswordCost): Promise<string> {
  const nonce = randomBytes(16);
  const tag = await derive('argon2id', { message: message(password), nonce, tagLength: TAG_BYTES, ...cost });
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${base64(nonce)}$${base64(tag)}`;
}

/** Whether the password matches the hash; false for anything that is not one of our hashes. Throws 503 when too many wait. */
export async function verifyPassword({ hash, password }: { hash: string; password: string }): Promise<boolean> {
  const parts = FORMAT.exec(hash);
  if (parts === null) return false;
  const [, memory, passes, parallelism, nonce = '', tag = ''] = parts;
  const expected = Buffer.from(tag, 'base64');
  const actual = await derive('argon2id', {
    message: message(password),
    nonce: Buffer.from(nonce, 'base64'),
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: expected.length,
  });
  return timingSafeEqual(actual, expected);
}

/** Runs `atOnce` pieces of work at once and queues up to `waiting` more, in order. */
export function createGate({ atOnce, waiting }: { atOnce: number; waiting: number }) {
  const limit = pLimit(atOnce);
  let begun = 0;
  return {
    /** How often work has started. */
    get begun() {
      return begun;
    },
    /** Runs the work when its turn comes. Throws `unavailable` when too much is waiting. */
    async run<T>(work: () => Promise<T>): Promise<T> {
      if (limit.activeCount + limit.pendingCount >= atOnce + waiting) {
        const sentence = 'The server is busy. Please try again in a moment.';
        throw new AppError('unavailable', sentence, { retryAfterSeconds: 2 });
      }
      return limit(() => {
        begun += 1;
        return work();
      });
    },
  };
}
