import * as accounts from '@atelier/contract/accounts';
import * as errors from '@atelier/contract/errors';
import { z } from 'zod';
import * as bodies from '../features/accounts/accounts.credentials.ts';
import * as ways from '../features/accounts/ways-in/ways-in.bodies.ts';
import { json, nothing, type Operation } from '../platform/http/operation.ts';

const identity = { failure: z.union([accounts.identityError, errors.errorBody]) };

interface Row {
  /** Below `/api/auth/`. */
  call: string;
  id: string;
  summary: string;
  answer: z.ZodType;
  body?: z.ZodType;
  /** It begins or ends a sign-in, or makes this browser known to the account. */
  setsCookie?: true;
  fails?: Operation['fails'];
}

const GETS: Row[] = [
  {
    call: 'get-session',
    id: 'getSignIn',
    summary: 'Who is signed in, or null.',
    answer: accounts.signInAnswer,
    setsCookie: true,
  },
  { call: 'ended', id: 'getSignInEnd', summary: 'Why the sign-in ended.', answer: accounts.signInEnd },
  { call: 'password-rules', id: 'getPasswordRules', summary: 'What a password needs.', answer: accounts.passwordRules },
  { call: 'recovery', id: 'getRecovery', summary: 'How a forgotten password is reset.', answer: accounts.recovery },
  {
    call: 'providers',
    id: 'getSignInProviders',
    summary: 'With whose accounts people can sign in.',
    answer: accounts.signInProviders,
  },
  { call: 'list-sessions', id: 'listDevices', summary: 'Where you are signed in.', answer: accounts.signIns },
  {
    call: 'passkey/list-user-passkeys',
    id: 'listPasskeys',
    summary: 'Your passkeys.',
    answer: accounts.passkeysAnswer,
  },
];

const POSTS: Row[] = [
  { call: 'sign-out', id: 'signOut', summary: 'Ends the sign-in.', answer: accounts.signedOutAnswer, setsCookie: true },
  {
    call: 'sign-up/email',
    id: 'signUp',
    summary: 'Opens an account and signs in.',
    answer: accounts.signedInAnswer,
    body: bodies.signUpBody,
    setsCookie: true,
  },
  {
    call: 'sign-in/email',
    id: 'signIn',
    summary: 'Signs in.',
    answer: accounts.signInStep,
    body: bodies.signInBody,
    setsCookie: true,
    fails: ['signed_out'],
  },
  {
    call: 'sign-in/social',
    id: 'beginSocialSignIn',
    summary: 'Where to sign in with an account elsewhere.',
    answer: accounts.providerAddress,
    body: ways.socialBody,
    setsCookie: true,
    fails: ['not_found'],
  },
  {
    call: 'link-social',
    id: 'linkAccount',
    summary: 'Where to agree to link an account elsewhere.',
    answer: accounts.providerAddress,
    body: ways.linkBody,
    setsCookie: true,
    fails: ['not_found', 'conflict'],
  },
  {
    call: 'unlink-account',
    id: 'unlinkAccount',
    summary: 'Ends signing in with an account elsewhere.',
    answer: accounts.identityDone,
    body: ways.unlinkBody,
    fails: ['not_found', 'conflict'],
  },
  {
    call: 'set-password',
    id: 'setPassword',
    summary: 'Gives an account its first password.',
    answer: accounts.identityDone,
    body: ways.setPasswordBody,
    fails: ['conflict'],
  },
  {
    call: 'request-password-reset',
    id: 'requestPasswordReset',
    summary: 'Mails a link to choose a new password, if there is such an account.',
    answer: accounts.resetRequested,
    body: bodies.requestResetBody,
  },
  {
    call: 'reset-password',
    id: 'resetPassword',
    summary: 'Sets a new password by a link.',
    answer: accounts.identityDone,
    body: bodies.resetBody,
    setsCookie: true,
  },
  {
    call: 'verify-email',
    id: 'verifyEmail',
    summary: 'Confirms an address by a link.',
    answer: accounts.emailConfirmed,
    body: bodies.confirmBody,
    setsCookie: true,
  },
  {
    call: 'send-verification-email',
    id: 'sendVerificationEmail',
    summary: 'Mails the link again.',
    answer: accounts.identityDone,
  },
  {
    call: 'update-user',
    id: 'updateUser',
    summary: 'Changes your name.',
    answer: accounts.identityDone,
    body: bodies.updateUserBody,
    setsCookie: true,
  },
  {
    call: 'change-password',
    id: 'changePassword',
    summary: 'Changes your password.',
    answer: accounts.signedInAnswer,
    body: bodies.changePasswordBody,
  },
  {
    call: 'change-email',
    id: 'changeEmail',
    summary: 'Changes your address.',
    answer: accounts.emailChange,
    body: bodies.changeEmailBody,
    setsCookie: true,
    fails: ['conflict'],
  },
  {
    call: 'revoke-session',
    id: 'signOutDevice',
    summary: 'Signs a device out.',
    answer: accounts.identityDone,
    body: bodies.revokeSessionBody,
  },
  {
    call: 'two-factor/enable',
    id: 'enableTwoFactor',
    summary: 'Begins to set up a second factor.',
    answer: accounts.twoFactorBegun,
    body: bodies.passwordBody,
    setsCookie: true,
  },
  {
    call: 'two-factor/disable',
    id: 'disableTwoFactor',
    summary: 'Ends the second factor.',
    answer: accounts.identityDone,
    body: bodies.passwordBody,
    setsCookie: true,
  },
  {
    call: 'two-factor/generate-backup-codes',
    id: 'renewRecoveryCodes',
    summary: 'Makes new recovery codes.',
    answer: accounts.recoveryCodes,
    body: bodies.passwordBody,
  },
  {
    call: 'two-factor/verify-totp',
    id: 'verifyTotp',
    summary: 'Ends a sign-in, or the set-up, with a code.',
    answer: accounts.signedInAnswer,
    body: bodies.codeBody,
    setsCookie: true,
    fails: ['signed_out'],
  },
  {
    call: 'two-factor/verify-backup-code',
    id: 'verifyRecoveryCode',
    summary: 'Ends a sign-in with a recovery code.',
    answer: accounts.signedInAnswer,
    body: bodies.codeBody,
    setsCookie: true,
    fails: ['signed_out'],
  },
  {
    call: 'passkey/generate-register-options',
    id: 'beginPasskey',
    summary: 'What a browser needs to make a passkey.',
    answer: accounts.passkeyOptions,
    body: ways.beginPasskeyBody,
    setsCookie: true,
  },
  {
    call: 'passkey/verify-registration',
    id: 'addPasskey',
    summary: 'Adds the passkey that the browser made.',
    answer: accounts.passkeyAnswer,
    body: ways.finishPasskeyBody,
  },
  {
    call: 'passkey/generate-authenticate-options',
    id: 'askForPasskey',
    summary: 'What a browser needs to use a passkey.',
    answer: accounts.passkeyOptions,
    setsCookie: true,
  },
  {
    call: 'passkey/verify-authentication',
    id: 'signInWithPasskey',
    summary: 'Signs in with a passkey.',
    answer: accounts.passkeySignIn,
    body: ways.usePasskeyBody,
    setsCookie: true,
    fails: ['signed_out'],
  },
  {
    call: 'passkey/update-passkey',
    id: 'renamePasskey',
    summary: 'Names a passkey.',
    answer: accounts.passkeyAnswer,
    body: ways.renamePasskeyBody,
    fails: ['not_found'],
  },
  {
    call: 'passkey/delete-passkey',
    id: 'deletePasskey',
    summary: 'Removes a passkey.',
    answer: accounts.identityDone,
    body: ways.deletePasskeyBody,
    fails: ['not_found', 'conflict'],
  },
];

const described = (method: 'GET' | 'POST', { call, id, summary, answer, body, ...more }: Row): [string, Operation] => [
  `${method} /api/auth/${call}`,
  json(id, summary, answer, {
    ...identity,
    ...more,
    ...(body === undefined ? {} : { body: { type: 'application/json', schema: body } }),
  }),
];

/** Sign-in, and what belongs to it: password, email, devices, the second factor, accounts elsewhere, passkeys. */
export const IDENTITY: [call: string, Operation][] = [
  ...GETS.map((row) => described('GET', row)),
  ...POSTS.map((row) => described('POST', row)),
  [
    'GET /api/auth/callback/{provider}',
    nothing('comeBack', 'Where Google and GitHub send people back to.', {
      ...identity,
      status: 302,
      setsCookie: true,
      fails: ['not_found'],
    }),
  ],
];
