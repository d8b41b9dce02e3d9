import { z } from 'zod';
import * as accounts from '../accounts.ts';
import { calls, get, post, under } from '../calls.ts';
import { instant } from '../ids.ts';
import * as bodies from './bodies.ts';

const failure = accounts.identityFailure;

/** What opens an account beside its password, or shows what is in it. */
export const wayKind = z.enum(['passkey', 'provider', 'two_factor', 'api_key', 'tool_server', 'link']);
export type WayKind = z.infer<typeof wayKind>;

/** `name` is the person's own word for it, or the provider's id; `addedAt` is null for a second factor from before that was noted. */
export const way = z.object({ id: z.string(), kind: wayKind, name: z.string(), addedAt: instant.nullable() });
export type Way = z.infer<typeof way>;

/** It doesn't work, and is deleted at `deletedAt` unless its owner keeps it. */
export const suspendedWay = way.extend({ deletedAt: instant });

/** `GET /api/auth/ways`: what works, and what is suspended. */
export const waysAnswer = z.object({ ways: z.array(way), suspended: z.array(suspendedWay) });
export type WaysAnswer = z.infer<typeof waysAnswer>;

/** `POST /api/auth/reset-password`: how many ways in were suspended. */
export const passwordReset = z.object({ status: z.literal(true), suspended: z.number().int() });

export const recoveryCalls = calls(under('/api/auth', { who: 'public', failure }), {
  request: post(
    '/request-password-reset',
    'requestPasswordReset',
    'Mails a link to choose a new password, if there is such an account.',
    { body: bodies.requestResetBody, answer: accounts.resetRequested },
  ),
  reset: post('/reset-password', 'resetPassword', 'Sets a new password by a link.', {
    body: bodies.resetBody,
    answer: passwordReset,
    setsCookie: true,
  }),
  verifyEmail: post('/verify-email', 'verifyEmail', 'Confirms an address by a link.', {
    body: bodies.confirmBody,
    answer: accounts.emailConfirmed,
    setsCookie: true,
  }),
});

export const settingsCalls = calls(under('/api/auth', { failure }), {
  updateUser: post('/update-user', 'updateUser', 'Changes your name.', {
    body: bodies.updateUserBody,
    answer: accounts.identityDone,
    setsCookie: true,
  }),
  changePassword: post('/change-password', 'changePassword', 'Changes your password.', {
    body: bodies.changePasswordBody,
    answer: accounts.signedInAnswer,
  }),
  changeEmail: post('/change-email', 'changeEmail', 'Changes your address.', {
    body: bodies.changeEmailBody,
    answer: accounts.emailChange,
    setsCookie: true,
    fails: ['conflict'],
  }),
  mailAgain: post('/send-verification-email', 'sendVerificationEmail', 'Mails the link again.', {
    answer: accounts.identityDone,
  }),
  devices: get('/list-sessions', 'listDevices', 'Where you are signed in.', { answer: accounts.signIns }),
  signOutDevice: post('/revoke-session', 'signOutDevice', 'Signs a device out.', {
    body: bodies.revokeSessionBody,
    answer: accounts.identityDone,
  }),
});

export const providerCalls = calls(under('/api/auth', { failure }), {
  list: get('/providers', 'getSignInProviders', 'With whose accounts people can sign in.', {
    who: 'public',
    answer: accounts.signInProviders,
  }),
  signIn: post('/sign-in/social', 'beginSocialSignIn', 'Where to sign in with an account elsewhere.', {
    who: 'public',
    body: bodies.socialBody,
    answer: accounts.providerAddress,
    setsCookie: true,
    fails: ['not_found'],
  }),
  link: post('/link-social', 'linkAccount', 'Where to agree to link an account elsewhere.', {
    body: bodies.linkBody,
    answer: accounts.providerAddress,
    setsCookie: true,
    fails: ['not_found', 'conflict'],
  }),
  unlink: post('/unlink-account', 'unlinkAccount', 'Ends signing in with an account elsewhere.', {
    body: bodies.unlinkBody,
    answer: accounts.identityDone,
    fails: ['not_found', 'conflict'],
  }),
  comeBack: get('/callback/:provider', 'comeBack', 'Where Google, GitHub or an OpenID provider send people back to.', {
    who: 'public',
    status: 302,
    setsCookie: true,
    fails: ['not_found'],
  }),
});

export const passkeyCalls = calls(under('/api/auth/passkey', { failure }), {
  list: get('/list-user-passkeys', 'listPasskeys', 'Your passkeys.', { answer: accounts.passkeysAnswer }),
  begin: post('/generate-register-options', 'beginPasskey', 'What a browser needs to make a passkey.', {
    body: bodies.beginPasskeyBody,
    answer: accounts.passkeyOptions,
    setsCookie: true,
  }),
  add: post('/verify-registration', 'addPasskey', 'Adds the passkey that the browser made.', {
    body: bodies.finishPasskeyBody,
    answer: accounts.passkeyAnswer,
    fails: ['conflict'],
  }),
  ask: post('/generate-authenticate-options', 'askForPasskey', 'What a browser needs to use a passkey.', {
    who: 'public',
    answer: accounts.passkeyOptions,
    setsCookie: true,
  }),
  signIn: post('/verify-authentication', 'signInWithPasskey', 'Signs in with a passkey.', {
    who: 'public',
    body: bodies.usePasskeyBody,
    answer: accounts.passkeySignIn,
    setsCookie: true,
    fails: ['signed_out', 'conflict'],
  }),
  rename: post('/update-passkey', 'renamePasskey', 'Names a passkey.', {
    body: bodies.renamePasskeyBody,
    answer: accounts.passkeyAnswer,
    fails: ['not_found'],
  }),
  remove: post('/delete-passkey', 'deletePasskey', 'Removes a passkey.', {
    body: bodies.deletePasskeyBody,
    answer: accounts.identityDone,
    fails: ['not_found', 'conflict'],
  }),
});

export const wayCalls = calls(under('/api/auth', { failure }), {
  confirmOwner: post(
    '/confirm-owner',
    'confirmOwner',
    'Proves for five minutes that it is you. Where a call answers `confirmation_needed`, send this, then the call again.',
    { body: bodies.confirmOwnerBody, answer: accounts.identityDone, fails: ['conflict'] },
  ),
  list: get('/ways', 'listWays', 'What opens your account, and what is suspended.', { answer: waysAnswer }),
  keep: post('/keep-ways', 'keepWays', 'Lets suspended ways in work again.', {
    body: bodies.keepWaysBody,
    answer: waysAnswer,
    fails: ['not_found', 'conflict'],
  }),
  setPassword: post('/set-password', 'setPassword', 'Gives an account its first password.', {
    body: bodies.setPasswordBody,
    answer: accounts.identityDone,
    fails: ['conflict'],
  }),
});
