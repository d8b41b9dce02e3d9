import { signInProvider } from '@atelier/contract/accounts';
import { visibleText } from '@atelier/contract/names/names';
import { z } from 'zod';
import { code } from '../accounts.credentials.ts';

/** A page of ours; anything else leads to the runtime. */
const from = z
  .string()
  .max(2_000)
  // What better-auth takes for a path.
  .regex(/^\/(?![/\\]|%2f|%5c)[\w\-.+/@]*(?:\?[\w\-.+/=&%@]*)?$/iu)
  .catch('/runtime')
  .default('/runtime');

/** Proves who the caller is; missing where their sign-in has done so. */
const password = z.string().min(1, 'Your password is missing.').max(4_096, 'This is not your password.').optional();
const id = z.string('The passkey is missing.').min(1, 'The passkey is missing.').max(100);
const name = visibleText(z.string('The name is missing.'), 'The name', 'The name is missing.').refine(
  (text) => [...text].length <= 60,
  'The name can have at most 60 characters.',
);
/** What a browser answers, as WebAuthn has it; better-auth checks the rest. */
const response = z.looseObject({ id: z.string().max(2_000), response: z.looseObject({}) });

export const confirmOwnerBody = z
  .object({ password, code: code.optional(), response: response.optional() })
  .refine(
    (given) => Object.values(given).filter((one) => one !== undefined).length === 1,
    'Send a password, a code or what a passkey answers.',
  );
export const socialBody = z.object({ provider: signInProvider, from });
export const linkBody = z.object({ provider: signInProvider, password });
export const unlinkBody = z.object({ provider: signInProvider });
export const setPasswordBody = z.object({
  newPassword: z.string('The new password is missing.').min(1, 'The new password is missing.'),
});
export const beginPasskeyBody = z.object({ password });
export const finishPasskeyBody = z.object({ name, response });
export const usePasskeyBody = z.object({ response });
export const renamePasskeyBody = z.object({ id, name });
export const deletePasskeyBody = z.object({ id });
export const keepWaysBody = z.object({
  ids: z
    .array(z.uuid('This is not suspended.'), 'What to keep is missing.')
    .min(1, 'What to keep is missing.')
    .max(1_000, 'Keep at most 1,000 at once.')
    .transform((ids) => [...new Set(ids)]),
  password,
});
