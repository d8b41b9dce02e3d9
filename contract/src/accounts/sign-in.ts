import * as accounts from '../accounts.ts';
import { calls, get, post, under } from '../calls.ts';
import * as bodies from './bodies.ts';
import { door, doorBody, waitsFor } from './door.ts';

const failure = accounts.identityFailure;

/** Without a cookie while the account waits for something. */
export const signedUpAnswer = accounts.signedInAnswer.extend({ waitingFor: waitsFor.optional() });

export const signInCalls = calls(under('/api/auth', { who: 'public' }), {
  ended: get('/ended', 'getSignInEnd', 'Why the sign-in ended.', { failure, answer: accounts.signInEnd }),
  passwordRules: get('/password-rules', 'getPasswordRules', 'What a password needs.', {
    failure,
    answer: accounts.passwordRules,
  }),
  checkPassword: post(
    '/check-password',
    'checkPassword',
    'Whether a password is among the first that somebody would guess.',
    { failure, body: bodies.checkPasswordBody, answer: accounts.passwordCheck },
  ),
  recovery: get('/recovery', 'getRecovery', 'How a forgotten password is reset.', {
    failure,
    answer: accounts.recovery,
  }),
  get: get('/get-session', 'getSignIn', 'Who is signed in, or null.', {
    failure,
    answer: accounts.signInAnswer,
    setsCookie: true,
  }),
  signOut: post('/sign-out', 'signOut', 'Ends the sign-in.', {
    failure,
    answer: accounts.signedOutAnswer,
    setsCookie: true,
  }),
  clearBrowser: post('/signed-out', 'clearBrowser', 'Has the browser clear what it keeps of this site’s pages.'),
  door: post('/door', 'askDoor', 'Who may open an account, and what an invitation is worth.', {
    failure,
    body: doorBody,
    answer: door,
  }),
  signUp: post('/sign-up/email', 'signUp', 'Opens an account and signs in.', {
    failure,
    body: bodies.signUpBody,
    answer: signedUpAnswer,
    setsCookie: true,
  }),
  signIn: post('/sign-in/email', 'signIn', 'Signs in.', {
    failure,
    body: bodies.signInBody,
    answer: accounts.signInStep,
    setsCookie: true,
    fails: ['signed_out'],
  }),
});

export const twoFactorCalls = calls(under('/api/auth/two-factor', { failure }), {
  enable: post('/enable', 'enableTwoFactor', 'Begins to set up a second factor.', {
    body: bodies.passwordBody,
    answer: accounts.twoFactorBegun,
    setsCookie: true,
  }),
  disable: post('/disable', 'disableTwoFactor', 'Ends the second factor.', {
    body: bodies.factorBody,
    answer: accounts.identityDone,
    setsCookie: true,
    fails: ['conflict'],
  }),
  renewCodes: post('/generate-backup-codes', 'renewRecoveryCodes', 'Makes new recovery codes.', {
    body: bodies.factorBody,
    answer: accounts.recoveryCodes,
    fails: ['conflict'],
  }),
  verifyTotp: post('/verify-totp', 'verifyTotp', 'Ends a sign-in, or the set-up, with a code.', {
    who: 'public',
    body: bodies.codeBody,
    answer: accounts.signedInAnswer,
    setsCookie: true,
    fails: ['signed_out', 'conflict'],
  }),
  verifyRecoveryCode: post('/verify-backup-code', 'verifyRecoveryCode', 'Ends a sign-in with a recovery code.', {
    who: 'public',
    body: bodies.codeBody,
    answer: accounts.signedInAnswer,
    setsCookie: true,
    fails: ['signed_out', 'conflict'],
  }),
});
