import { z } from 'zod';
import { signInProvider } from '../accounts.ts';
import { visibleText } from '../names/names.ts';
import { invitationToken } from './door.ts';

/** In code points. */
export const USER_NAME_MAX = 100;
/** 1 to 100 characters of any script. The server also refuses what is read as the product's name. */
export const userName = visibleText(
  z.string('The username is missing.'),
  'The username',
  'The username is missing.',
).refine((name) => Array.from(name).length <= USER_NAME_MAX, {
  error: `The username can have at most ${USER_NAME_MAX} characters.`,
  abort: true,
});

const email = z
  .string('The email is missing.')
  .trim()
  .max(254, 'The email can have at most 254 characters.')
  .pipe(z.email('This is not an email address.'));
const password = z.string('The password is missing.').min(1, 'The password is missing.');

/** What a client may send at sign-up. Everything else about an account is the server's decision and is dropped here. */
/** The part of an invitation's link behind `#`. */
const invitation = invitationToken.optional();
export const signUpBody = z.object({ name: userName, email, password, invitation });
export const signInBody = z.object({ email, password });

export const requestResetBody = z.object({ email });

/** Only what we could have issued is looked up: never null, empty or something longer. */
const token = z
  .string('The link is not complete. Please copy all of it.')
  .regex(/^[\w-]{43}$/u, 'The link is not complete. Please copy all of it.');
const newPassword = z.string('The new password is missing.').min(1, 'The new password is missing.');
const currentPassword = z
  .string('Your current password is missing.')
  .min(1, 'Your current password is missing.')
  .max(4_096, 'This is not your password.');

/** A password that somebody is about to choose, and what the form has of its owner. */
export const checkPasswordBody = z.object({
  password: z.string('The password is missing.').max(4_096, 'The password is too long.'),
  name: z.string().max(1_000).optional(),
  email: z.string().max(1_000).optional(),
});
export const resetBody = z.object({ token, newPassword });
export const confirmBody = z.object({ token });
export const changePasswordBody = z.object({
  currentPassword,
  newPassword,
  revokeOtherSessions: z.boolean().default(false),
  /** With it: the ways in that are not suspended, by the ids of `GET /api/auth/ways`. */
  keep: z.array(z.string().max(100)).max(1_000).default([]),
});
/** Without a password only for accounts without one. */
export const changeEmailBody = z.object({ newEmail: email, currentPassword: currentPassword.optional() });
export const updateUserBody = z.object({ name: userName });
export const revokeSessionBody = z.object({ token: z.string('The device is missing.').min(1).max(200) });

/** The password proves who the caller is; missing where their sign-in has done so. */
export const passwordBody = z.object({ password: currentPassword.optional() });
/** Six digits of an app, or a recovery code; people copy both with spaces. */
const code = z
  .string('The code is missing.')
  .transform((text) => text.replaceAll(/\s/gu, ''))
  .refine((text) => text !== '' && text.length <= 40, 'This is not a code.');
export const codeBody = z.object({ code });
/** For what weakens the second factor. */
export const factorBody = passwordBody.extend({ code });

/** A page of ours; anything else leads to the runtime. */
const from = z
  .string()
  .max(2_000)
  // What better-auth takes for a path.
  .regex(/^\/(?![/\\]|%2f|%5c)[\w\-.+/@]*(?:\?[\w\-.+/=&%@]*)?$/iu)
  .catch('/runtime')
  .default('/runtime');

/** Proves who the caller is; missing where their sign-in has done so. */
const ownPassword = z.string().min(1, 'Your password is missing.').max(4_096, 'This is not your password.').optional();
const passkeyId = z.string('The passkey is missing.').min(1, 'The passkey is missing.').max(100);
const passkeyName = visibleText(z.string('The name is missing.'), 'The name', 'The name is missing.').refine(
  (text) => [...text].length <= 60,
  'The name can have at most 60 characters.',
);
/** What a browser answers, as WebAuthn has it; better-auth checks the rest. */
const response = z.looseObject({ id: z.string().max(2_000), response: z.looseObject({}) });
export type PasskeyResponse = z.infer<typeof response>;

export const confirmOwnerBody = z
  .object({ password: ownPassword, code: code.optional(), response: response.optional() })
  .refine(
    (body) => Object.values(body).filter((one) => one !== undefined).length === 1,
    'Send a password, a code or what a passkey answers.',
  );
export const socialBody = z.object({ provider: signInProvider, from, invitation });
export const linkBody = z.object({ provider: signInProvider, password: ownPassword });
export const unlinkBody = z.object({ provider: signInProvider });
export const setPasswordBody = z.object({ newPassword });
export const beginPasskeyBody = z.object({ password: ownPassword });
export const finishPasskeyBody = z.object({ name: passkeyName, response });
export const usePasskeyBody = z.object({ response });
export const renamePasskeyBody = z.object({ id: passkeyId, name: passkeyName });
export const deletePasskeyBody = z.object({ id: passkeyId });
export const keepWaysBody = z.object({
  ids: z
    .array(z.uuid('This is not suspended.'), 'What to keep is missing.')
    .min(1, 'What to keep is missing.')
    .max(1_000, 'Keep at most 1,000 at once.')
    .transform((ids) => [...new Set(ids)]),
  password: ownPassword,
});
