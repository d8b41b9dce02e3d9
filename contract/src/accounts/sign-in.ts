import {
  identityFailure as failure,
  identityDone,
  passwordCheck,
  passwordRules,
  recovery,
  recoveryCodes,
  signedInAnswer,
  signedOutAnswer,
  signInAnswer,
  signInEnd,
  signInStep,
  twoFactorBegun,
} from '../accounts.ts';
import { calls, get, post } from '../calls.ts';
import * as bodies from './bodies.ts';
import { door, doorBody, waitsFor } from './door.ts';

// The web's build knows that a GET is public where the call itself says it.
const open = { who: 'public', failure } as const;

/** Without a cookie while the account waits for something. */
export const signedUpAnswer = signedInAnswer.extend({ waitingFor: waitsFor.optional() });

export const signInCalls = calls('/api/auth', {
  ended: get('/ended', 'getSignInEnd', 'Why the sign-in ended.', { who: 'public', failure, answer: signInEnd }),
  passwordRules: get('/password-rules', 'getPasswordRules', 'What a password needs.', {
    who: 'public',
    failure,
    answer: passwordRules,
  }),
  checkPassword: post(
    '/check-password',
    'checkPassword',
    'Whether a password is among the first that somebody would guess.',
    { ...open, body: bodies.checkPasswordBody, answer: passwordCheck },
  ),
  recovery: get('/recovery', 'getRecovery', 'How a forgotten password is reset.', {
    who: 'public',
    failure,
    answer: recovery,
  }),
  get: get('/get-session', 'getSignIn', 'Who is signed in, or null.', {
    who: 'public',
    failure,
    answer: signInAnswer,
    setsCookie: true,
  }),
  signOut: post('/sign-out', 'signOut', 'Ends the sign-in.', { ...open, answer: signedOutAnswer, setsCookie: true }),
  clearBrowser: post('/signed-out', 'clearBrowser', 'Has the browser clear what it keeps of this site’s pages.', {
    who: 'public',
  }),
  door: post('/door', 'askDoor', 'Who may open an account, and what an invitation is worth.', {
    ...open,
    body: doorBody,
    answer: door,
  }),
  signUp: post('/sign-up/email', 'signUp', 'Opens an account and signs in.', {
    ...open,
    body: bodies.signUpBody,
    answer: signedUpAnswer,
    setsCookie: true,
  }),
  signIn: post('/sign-in/email', 'signIn', 'Signs in.', {
    ...open,
    body: bodies.signInBody,
    answer: signInStep,
    setsCookie: true,
    fails: ['signed_out'],
  }),
});

export const twoFactorCalls = calls('/api/auth/two-factor', {
  enable: post('/enable', 'enableTwoFactor', 'Begins to set up a second factor.', {
    failure,
    body: bodies.passwordBody,
    answer: twoFactorBegun,
    setsCookie: true,
  }),
  disable: post('/disable', 'disableTwoFactor', 'Ends the second factor.', {
    failure,
    body: bodies.factorBody,
    answer: identityDone,
    setsCookie: true,
    fails: ['conflict'],
  }),
  renewCodes: post('/generate-backup-codes', 'renewRecoveryCodes', 'Makes new recovery codes.', {
    failure,
    body: bodies.factorBody,
    answer: recoveryCodes,
    fails: ['conflict'],
  }),
  verifyTotp: post('/verify-totp', 'verifyTotp', 'Ends a sign-in, or the set-up, with a code.', {
    ...open,
    body: bodies.codeBody,
    answer: signedInAnswer,
    setsCookie: true,
    fails: ['signed_out', 'conflict'],
  }),
  verifyRecoveryCode: post('/verify-backup-code', 'verifyRecoveryCode', 'Ends a sign-in with a recovery code.', {
    ...open,
    body: bodies.codeBody,
    answer: signedInAnswer,
    setsCookie: true,
    fails: ['signed_out', 'conflict'],
  }),
});
