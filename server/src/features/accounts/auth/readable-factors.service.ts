import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto';
import { and, eq } from 'drizzle-orm';
import { z } from 'zod';
import type { Deps } from '../../../platform/deps.ts';
import { AppError } from '../../../platform/errors.ts';
import { type Secrets, secretsOf } from '../../../platform/secrets.ts';
import { twoFactor } from '../accounts.identity.table.ts';

const FIELDS = ['secret', 'backupCodes'] as const;
const row = z.looseObject({ id: z.string(), secret: z.string(), backupCodes: z.string(), verified: z.boolean() });

type Factor = z.infer<typeof row>;

/** The part of better-auth's adapter that reads a second factor. */
interface Reads {
  findOne<T>(query: { model: string }): Promise<T | null>;
}

/**
 * better-auth decrypts a second factor with one secret and answers 500 to what another has encrypted. Here it finds every factor encrypted
 * with the newest secret; where none of ours opens it, the call that needs it is refused with a sentence.
 */
export function withReadableFactors<A extends Reads>(ctx: Pick<Deps, 'db' | 'config'>, adapter: A): A {
  const findOne: Reads['findOne'] = async <T>(query: { model: string }) => {
    const factor = await adapter.findOne<T>(query);
    if (query.model !== 'twoFactor' || factor === null) return factor;
    return (await readable(ctx, row.parse(factor))) as T;
  };
  return { ...adapter, findOne };
}

async function readable(ctx: Pick<Deps, 'db' | 'config'>, factor: Factor): Promise<Factor> {
  const secrets = secretsOf(ctx.config);
  const opened = await Promise.all(FIELDS.map((field) => open(secrets, factor[field])));
  const renewed = { ...factor };
  for (const [at, field] of FIELDS.entries()) {
    const plain = opened[at];
    if (!plain || plain.secret === secrets[0]) continue;
    renewed[field] = await symmetricEncrypt({ key: secrets[0], data: plain.text });
  }
  if (FIELDS.some((field) => renewed[field] !== factor[field])) await store(ctx, factor, renewed);
  for (const [at, field] of FIELDS.entries()) if (opened[at] === null) refuseUse(renewed, field);
  return renewed;
}

/** A recovery code is used up by comparing its column, so the row has to hold what better-auth gets; and a code used meanwhile stays used. */
async function store({ db }: Pick<Deps, 'db'>, before: Factor, { secret, backupCodes }: Factor): Promise<void> {
  const same = FIELDS.map((field) => eq(twoFactor[field], before[field]));
  await db
    .update(twoFactor)
    .set({ secret, backupCodes })
    .where(and(eq(twoFactor.id, before.id), ...same));
}

async function open(secrets: Secrets, data: string): Promise<{ text: string; secret: string } | null> {
  for (const secret of secrets) {
    const text = await symmetricDecrypt({ key: secret, data }).catch(() => null);
    if (text !== null) return { text, secret };
  }
  return null;
}

/** Recovery codes may be newer than the factor, so one may be readable and the other not. */
function refuseUse(factor: Factor, field: (typeof FIELDS)[number]): void {
  const [what, other] = field === 'secret' ? ['Codes', 'a recovery code'] : ['Recovery codes', 'a code of your app'];
  Object.defineProperty(factor, field, {
    get() {
      const wayOut = factor.verified
        ? `Try ${other}, or ask the people who run it to remove your second factor.`
        : 'Begin the set-up again.';
      throw new AppError(
        'conflict',
        `${what} can’t be checked any more: this installation’s secret was changed. ${wayOut}`,
      );
    },
  });
}
