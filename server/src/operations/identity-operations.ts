import * as accounts from '@atelier/contract/accounts';
import * as errors from '@atelier/contract/errors';
import { z } from 'zod';
import * as bodies from '../features/accounts/accounts.credentials.ts';
import { json, type Operation } from '../platform/http/operation.ts';

const identity = { failure: z.union([accounts.identityError, errors.errorBody]) };
const signIn = { ...identity, setsCookie: true } as const;
const credentials = (schema: z.ZodType) => ({ type: 'application/json', schema });
/** A call that takes a body and passes it to the identity provider. */
const takes = (schema: z.ZodType) => ({ ...identity, body: credentials(schema) });
const signsIn = (schema: z.ZodType) => ({ ...signIn, body: credentials(schema) });

/** Sign-in, and what belongs to it: password, email, devices, the second factor. */
export const IDENTITY: [call: string, Operation][] = Object.entries({
  'GET /api/auth/get-session': json('getSignIn', 'Who is signed in, or null.', accounts.signInAnswer, signIn),
  'GET /api/auth/ended': json('getSignInEnd', 'Why the sign-in ended.', accounts.signInEnd, identity),
  'GET /api/auth/password-rules': json('getPasswordRules', 'What a password needs.', accounts.passwordRules, identity),
  'POST /api/auth/sign-out': json('signOut', 'Ends the sign-in.', accounts.signedOutAnswer, signIn),
  'POST /api/auth/sign-up/email': json('signUp', 'Opens an account and signs in.', accounts.signedInAnswer, {
    ...signIn,
    body: credentials(bodies.signUpBody),
  }),
  'POST /api/auth/sign-in/email': json('signIn', 'Signs in.', accounts.signInStep, {
    ...signIn,
    body: credentials(bodies.signInBody),
    fails: ['signed_out'],
  }),
  'GET /api/auth/recovery': json('getRecovery', 'How a forgotten password is reset.', accounts.recovery, identity),
  'POST /api/auth/request-password-reset': json(
    'requestPasswordReset',
    'Mails a link to choose a new password, if there is such an account.',
    accounts.resetRequested,
    takes(bodies.requestResetBody),
  ),
  'POST /api/auth/reset-password': json('resetPassword', 'Sets a new password by a link.', accounts.identityDone, {
    ...signsIn(bodies.resetBody),
  }),
  'POST /api/auth/verify-email': json('verifyEmail', 'Confirms an address by a link.', accounts.emailConfirmed, {
    ...signsIn(bodies.confirmBody),
  }),
  'POST /api/auth/send-verification-email': json(
    'sendVerificationEmail',
    'Mails the link again.',
    accounts.identityDone,
    identity,
  ),
  'POST /api/auth/update-user': json('updateUser', 'Changes your name.', accounts.identityDone, {
    ...signsIn(bodies.updateUserBody),
  }),
  'POST /api/auth/change-password': json(
    'changePassword',
    'Changes your password.',
    accounts.signedInAnswer,
    takes(bodies.changePasswordBody),
  ),
  'POST /api/auth/change-email': json('changeEmail', 'Changes your address.', accounts.emailChange, {
    ...signsIn(bodies.changeEmailBody),
    fails: ['conflict'],
  }),
  'GET /api/auth/list-sessions': json('listDevices', 'Where you are signed in.', accounts.signIns, identity),
  'POST /api/auth/revoke-session': json('signOutDevice', 'Signs a device out.', accounts.identityDone, {
    ...takes(bodies.revokeSessionBody),
  }),
  'POST /api/auth/two-factor/enable': json(
    'enableTwoFactor',
    'Begins to set up a second factor.',
    accounts.twoFactorBegun,
    signsIn(bodies.passwordBody),
  ),
  'POST /api/auth/two-factor/disable': json('disableTwoFactor', 'Ends the second factor.', accounts.identityDone, {
    ...signsIn(bodies.passwordBody),
  }),
  'POST /api/auth/two-factor/generate-backup-codes': json(
    'renewRecoveryCodes',
    'Makes new recovery codes.',
    accounts.recoveryCodes,
    takes(bodies.passwordBody),
  ),
  'POST /api/auth/two-factor/verify-totp': json(
    'verifyTotp',
    'Ends a sign-in, or the set-up, with a code.',
    accounts.signedInAnswer,
    { ...signsIn(bodies.codeBody), fails: ['signed_out'] },
  ),
  'POST /api/auth/two-factor/verify-backup-code': json(
    'verifyRecoveryCode',
    'Ends a sign-in with a recovery code.',
    accounts.signedInAnswer,
    { ...signsIn(bodies.codeBody), fails: ['signed_out'] },
  ),
});
