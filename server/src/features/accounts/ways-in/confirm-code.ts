import type { Context } from 'hono';
import type { AppEnv } from '../../../access.ts';
import type { Deps } from '../../../platform/deps.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Identity } from '../accounts.identity.ts';
import { consumeCode, forgiveConfirmation } from '../accounts.limits.service.ts';
import { countConfirmation } from '../accounts.passwords.service.ts';
import { hasTwoFactor } from '../accounts.service.ts';

/** better-auth takes a code as often as it comes while it is shown. */
export const USED_CODE = 'This code has been used. Please wait for the next one.';

const SIX_DIGITS = /^\d{6}$/u;

/** Checks and uses up a code of the caller's app or a recovery code. 403 if wrong, 409 without a second factor, 429 after too many. */
export async function confirmCode(
  deps: Deps,
  { forwardKeeping }: Identity,
  c: Context<AppEnv>,
  code: string,
): Promise<void> {
  const { uid } = c.get('caller');
  await countConfirmation(deps, uid);
  if (!(await hasTwoFactor(deps, uid))) throw new AppError('conflict', 'Two-factor authentication is off.');
  const refuse = (sentence: string) => new AppError('forbidden', sentence, { field: 'code', activity: 'code_refused' });
  const path = `/api/auth/two-factor/verify-${SIX_DIGITS.test(code) ? 'totp' : 'backup-code'}`;
  if (!(await forwardKeeping(c, { code }, path)).ok) throw refuse('This code is wrong.');
  if (!(await consumeCode(deps, uid, code)).allowed) throw refuse(USED_CODE);
  await forgiveConfirmation(deps, uid);
}
