import * as accounts from '@atelier/contract/accounts';
import * as errors from '@atelier/contract/errors';
import * as ways from '@atelier/contract/sign-in/ways';
import { z } from 'zod';
import * as bodies from '../features/accounts/accounts.credentials.ts';
import * as bodiesOfWays from '../features/accounts/ways-in/ways-in.bodies.ts';
import { json, nothing, type Operation } from '../platform/http/operation.ts';

const refusals = { failure: z.union([accounts.identityError, errors.errorBody]) };

/** `setsCookie`: it begins or ends a sign-in, or makes this browser known to the account. */
type More = Pick<Operation, 'setsCookie' | 'fails'> & { body?: z.ZodType };

const identity = (id: string, summary: string, answer: z.ZodType, { body, ...more }: More = {}) =>
  json(id, summary, answer, {
    ...refusals,
    ...more,
    ...(body === undefined ? {} : { body: { type: 'application/json', schema: body } }),
  });

/** Sign-in, and what belongs to it: password, email, devices, the second factor, accounts elsewhere, passkeys. */
export const IDENTITY: [call: string, Operation][] = Object.entries({
  'GET /api/auth/get-session': identity('getSignIn', 'Who is signed in, or null.', accounts.signInAnswer, {
    setsCookie: true,
  }),
  'GET /api/auth/ended': identity('getSignInEnd', 'Why the sign-in ended.', accounts.signInEnd),
  'GET /api/auth/password-rules': identity('getPasswordRules', 'What a password needs.', accounts.passwordRules),
  'POST /api/auth/check-password': identity(
    'checkPassword',
    'Whether a password is among the first that somebody would guess.',
    accounts.passwordCheck,
    { body: bodies.checkPasswordBody },
  ),
  'GET /api/auth/recovery': identity('getRecovery', 'How a forgotten password is reset.', accounts.recovery),
  'GET /api/auth/providers': identity(
    'getSignInProviders',
    'With whose accounts people can sign in.',
    accounts.signInProviders,
  ),
  'GET /api/auth/list-sessions': identity('listDevices', 'Where you are signed in.', accounts.signIns),
  'GET /api/auth/passkey/list-user-passkeys': identity('listPasskeys', 'Your passkeys.', accounts.passkeysAnswer),
  'GET /api/auth/ways': identity('listWays', 'What opens your account, and what is suspended.', ways.waysAnswer),
  'POST /api/auth/keep-ways': identity('keepWays', 'Lets suspended ways in work again.', ways.waysAnswer, {
    body: bodiesOfWays.keepWaysBody,
    fails: ['not_found', 'conflict'],
  }),
  'POST /api/auth/confirm-owner': identity(
    'confirmOwner',
    'Proves for five minutes that it is you. Where a call answers `confirmation_needed`, send this, then the call again.',
    accounts.identityDone,
    { body: bodiesOfWays.confirmOwnerBody, fails: ['conflict'] },
  ),
  'POST /api/auth/sign-out': identity('signOut', 'Ends the sign-in.', accounts.signedOutAnswer, { setsCookie: true }),
  'POST /api/auth/signed-out': nothing('clearBrowser', 'Has the browser clear what it keeps of this site’s pages.'),
  'POST /api/auth/sign-up/email': identity('signUp', 'Opens an account and signs in.', accounts.signedInAnswer, {
    body: bodies.signUpBody,
    setsCookie: true,
  }),
  'POST /api/auth/sign-in/email': identity('signIn', 'Signs in.', accounts.signInStep, {
    body: bodies.signInBody,
    setsCookie: true,
    fails: ['signed_out'],
  }),
  'POST /api/auth/sign-in/social': identity(
    'beginSocialSignIn',
    'Where to sign in with an account elsewhere.',
    accounts.providerAddress,
    { body: bodiesOfWays.socialBody, setsCookie: true, fails: ['not_found'] },
  ),
  'POST /api/auth/link-social': identity(
    'linkAccount',
    'Where to agree to link an account elsewhere.',
    accounts.providerAddress,
    { body: bodiesOfWays.linkBody, setsCookie: true, fails: ['not_found', 'conflict'] },
  ),
  'POST /api/auth/unlink-account': identity(
    'unlinkAccount',
    'Ends signing in with an account elsewhere.',
    accounts.identityDone,
    { body: bodiesOfWays.unlinkBody, fails: ['not_found', 'conflict'] },
  ),
  'POST /api/auth/set-password': identity(
    'setPassword',
    'Gives an account its first password.',
    accounts.identityDone,
    { body: bodiesOfWays.setPasswordBody, fails: ['conflict'] },
  ),
  'POST /api/auth/request-password-reset': identity(
    'requestPasswordReset',
    'Mails a link to choose a new password, if there is such an account.',
    accounts.resetRequested,
    { body: bodies.requestResetBody },
  ),
  'POST /api/auth/reset-password': identity('resetPassword', 'Sets a new password by a link.', ways.passwordReset, {
    body: bodies.resetBody,
    setsCookie: true,
  }),
  'POST /api/auth/verify-email': identity('verifyEmail', 'Confirms an address by a link.', accounts.emailConfirmed, {
    body: bodies.confirmBody,
    setsCookie: true,
  }),
  'POST /api/auth/send-verification-email': identity(
    'sendVerificationEmail',
    'Mails the link again.',
    accounts.identityDone,
  ),
  'POST /api/auth/update-user': identity('updateUser', 'Changes your name.', accounts.identityDone, {
    body: bodies.updateUserBody,
    setsCookie: true,
  }),
  'POST /api/auth/change-password': identity('changePassword', 'Changes your password.', accounts.signedInAnswer, {
    body: bodies.changePasswordBody,
  }),
  'POST /api/auth/change-email': identity('changeEmail', 'Changes your address.', accounts.emailChange, {
    body: bodies.changeEmailBody,
    setsCookie: true,
    fails: ['conflict'],
  }),
  'POST /api/auth/revoke-session': identity('signOutDevice', 'Signs a device out.', accounts.identityDone, {
    body: bodies.revokeSessionBody,
  }),
  'POST /api/auth/two-factor/enable': identity(
    'enableTwoFactor',
    'Begins to set up a second factor.',
    accounts.twoFactorBegun,
    { body: bodies.passwordBody, setsCookie: true },
  ),
  'POST /api/auth/two-factor/disable': identity('disableTwoFactor', 'Ends the second factor.', accounts.identityDone, {
    body: bodies.factorBody,
    setsCookie: true,
    fails: ['conflict'],
  }),
  'POST /api/auth/two-factor/generate-backup-codes': identity(
    'renewRecoveryCodes',
    'Makes new recovery codes.',
    accounts.recoveryCodes,
    { body: bodies.factorBody, fails: ['conflict'] },
  ),
  'POST /api/auth/two-factor/verify-totp': identity(
    'verifyTotp',
    'Ends a sign-in, or the set-up, with a code.',
    accounts.signedInAnswer,
    { body: bodies.codeBody, setsCookie: true, fails: ['signed_out', 'conflict'] },
  ),
  'POST /api/auth/two-factor/verify-backup-code': identity(
    'verifyRecoveryCode',
    'Ends a sign-in with a recovery code.',
    accounts.signedInAnswer,
    { body: bodies.codeBody, setsCookie: true, fails: ['signed_out', 'conflict'] },
  ),
  'POST /api/auth/passkey/generate-register-options': identity(
    'beginPasskey',
    'What a browser needs to make a passkey.',
    accounts.passkeyOptions,
    { body: bodiesOfWays.beginPasskeyBody, setsCookie: true },
  ),
  'POST /api/auth/passkey/verify-registration': identity(
    'addPasskey',
    'Adds the passkey that the browser made.',
    accounts.passkeyAnswer,
    { body: bodiesOfWays.finishPasskeyBody, fails: ['conflict'] },
  ),
  'POST /api/auth/passkey/generate-authenticate-options': identity(
    'askForPasskey',
    'What a browser needs to use a passkey.',
    accounts.passkeyOptions,
    { setsCookie: true },
  ),
  'POST /api/auth/passkey/verify-authentication': identity(
    'signInWithPasskey',
    'Signs in with a passkey.',
    accounts.passkeySignIn,
    { body: bodiesOfWays.usePasskeyBody, setsCookie: true, fails: ['signed_out', 'conflict'] },
  ),
  'POST /api/auth/passkey/update-passkey': identity('renamePasskey', 'Names a passkey.', accounts.passkeyAnswer, {
    body: bodiesOfWays.renamePasskeyBody,
    fails: ['not_found'],
  }),
  'POST /api/auth/passkey/delete-passkey': identity('deletePasskey', 'Removes a passkey.', accounts.identityDone, {
    body: bodiesOfWays.deletePasskeyBody,
    fails: ['not_found', 'conflict'],
  }),
  'GET /api/auth/callback/{provider}': nothing('comeBack', 'Where Google and GitHub send people back to.', {
    ...refusals,
    status: 302,
    setsCookie: true,
    fails: ['not_found'],
  }),
});
