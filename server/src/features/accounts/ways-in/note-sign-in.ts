import type { Context } from 'hono';
import type { AppEnv } from '../../../access.ts';
import type { Deps } from '../../../platform/deps.ts';
import { noteSignIn, rememberDevice } from '../accounts.device.ts';
import { type Identity, tooMany } from '../accounts.identity.ts';
import { noteTraced } from '../activity/activity.service.ts';
import type { SignInTrace } from '../auth/call-notes.ts';
import { countAtDoor } from '../door/door.service.ts';
import { emailOf } from './ways-in.service.ts';

/** Notes a sign-in and remembers the device, as every sign-in does. */
export async function noteTrace(
  deps: Deps,
  { addressOf }: Identity,
  c: Context<AppEnv>,
  { trace, answer, way }: { trace: SignInTrace; answer: Response; way: string },
): Promise<void> {
  await noteTraced(deps, trace, trace.isNew ? 'account_opened' : 'sign_in', way);
  const email = trace.userId === undefined ? null : await emailOf(deps, trace.userId);
  if (email === null) return;
  if (trace.isNew) rememberDevice(deps, c, email, answer);
  else await noteSignIn(deps, c, { email, address: addressOf(c) }, answer);
}

/** Counts a call without a sign-in; the refusal when its address, or who has the invitation, asks too often. */
export async function spend(
  deps: Deps,
  { addressOf }: Identity,
  c: Context<AppEnv>,
  path: string,
  invitation?: string,
): Promise<Response | null> {
  const rate = await countAtDoor(deps, { path, address: addressOf(c), invitation });
  return rate.retryAfter === null ? null : tooMany(rate.retryAfter);
}
