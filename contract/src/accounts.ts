import { z } from 'zod';
import { calls, get, put, remove } from './calls.ts';
import { distrust, errorBody } from './errors.ts';
import { instant } from './ids.ts';

/** A free account's total limits. Pro has none. */
export const FREE_LIMITS = { messages: 10, tasks: 50, sessions: 3 } as const;

/** Password length by default. */
export const DEFAULT_PASSWORD_MIN = 6;

/** The signed-in user, with the specification's field names. */
export const user = z.object({
  uid: z.string(),
  displayName: z.string(),
  photoURL: z.string().nullable(),
  email: z.string(),
  emailVerified: z.boolean(),
  phoneNumber: z.string().nullable(),
  tenantId: z.null(),
  isAnonymous: z.literal(false),
  providerData: z.array(z.object({ providerId: z.string(), uid: z.string() })),
  metadata: z.object({ creationTime: instant, lastSignInTime: instant.nullable() }),
});
export type User = z.infer<typeof user>;

export const account = z.object({
  subscriptionStatus: z.enum(['free', 'pro']),
  subscriptionTier: z.enum(['free', 'pro']),
  agentsCreated: z.number().int(),
  createdAt: instant,
  lastUpdated: instant,
  /** Milliseconds since 1970, as the specification has it. */
  lastPaidAt: z.number().int().nullable(),
  lastReference: z.string().nullable(),
});
export type Account = z.infer<typeof account>;

export const usage = z.object({
  messageCount: z.number().int(),
  taskCount: z.number().int(),
  sessionCount: z.number().int(),
});
export type Usage = z.infer<typeof usage>;

/** A model that agents may use, and what it can do. */
export const modelInfo = z.object({
  id: z.string(),
  label: z.string(),
  tools: z.boolean(),
  /** It reads pictures. */
  sight: z.boolean(),
  /** It listens to sounds. */
  hearing: z.boolean(),
  /** It thinks before it answers. */
  reasoning: z.boolean(),
  /** False where the model takes no temperature. */
  temperature: z.boolean(),
  /** How much it reads at once, in tokens. */
  contextTokens: z.number().int(),
});
export type ModelInfo = z.infer<typeof modelInfo>;

/** `GET /api/me`: who is signed in, what they may do, and which models answer. */
export const me = z.object({
  user,
  account,
  usage,
  /** null = no limit (Pro). */
  limits: z.object({
    messages: z.number().int().nullable(),
    tasks: z.number().int().nullable(),
    sessions: z.number().int().nullable(),
  }),
  models: z.array(modelInfo),
  /** Models that the operator has taken away. An agent that has one doesn’t answer until it gets another. An older server names none. */
  excludedModels: z.array(z.string()).default([]),
  /** The model that answers for one that is not in `models`; null without a provider. */
  standIn: z.string().nullable(),
  modelProvider: z.object({ kind: z.enum(['offline', 'openai-compatible']), label: z.string() }),
  /** Runs this installation, and has the page “Admin”. */
  operator: z.boolean(),
  /** Whether signing in asks for a second factor, and whether this server can mail people. */
  security: z.object({ twoFactor: z.boolean(), mail: z.boolean() }),
});
export type Me = z.infer<typeof me>;

/** `DELETE /api/me`. */
export const deleteAccountBody = z.strictObject({
  /** Missing for accounts without one. */
  password: z.string('The password is missing.').min(1, 'The password is missing.').max(4_096).optional(),
});
export const deleteAccountAnswer = z.object({ deleted: z.literal(true) });

/** `GET /api/auth/ended`: why the browser's sign-in ended, if the server knows. */
export const signInEnd = z.object({ reason: z.enum(['disabled']).nullable() });

/** An account as the identity provider's own calls answer it; `GET /api/me` has everything. */
const identityUser = z.looseObject({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  emailVerified: z.boolean(),
  image: z.string().nullable().optional(),
  createdAt: instant,
  updatedAt: instant,
});

/** `POST /api/auth/sign-up/email` and `…/sign-in/email`; the sign-in itself is the cookie. */
export const signedInAnswer = z.looseObject({ token: z.string().nullable(), user: identityUser });
export const signedOutAnswer = z.object({ success: z.boolean() });
/** `GET /api/auth/get-session`: null when nobody is signed in. */
export const signInAnswer = z
  .object({
    session: z.looseObject({ id: z.string(), userId: z.string(), expiresAt: instant }),
    user: identityUser,
    /** Where the stream of changes stood before this was read. */
    position: z.string().optional(),
  })
  .nullable();
/** A sign-in whose password is right, while the second factor is asked for. */
export const secondFactorAsked = z.looseObject({ twoFactorRedirect: z.literal(true) });
/** `POST /api/auth/sign-in/email`. */
export const signInStep = z.union([signedInAnswer, secondFactorAsked]);
export const identityDone = z.looseObject({ status: z.boolean() });
export const resetRequested = z.object({ status: z.literal(true), message: z.string() });
/** Where the person is signed in. */
export const signIns = z.array(
  z.looseObject({
    id: z.string(),
    token: z.string(),
    createdAt: instant,
    updatedAt: instant,
    expiresAt: instant,
    ipAddress: z.string().nullish(),
    userAgent: z.string().nullish(),
  }),
);
export const twoFactorBegun = z.looseObject({ totpURI: z.string(), backupCodes: z.array(z.string()) });
export const recoveryCodes = z.looseObject({ backupCodes: z.array(z.string()) });
/** How the calls under `/api/auth` refuse. */
export const identityError = z.object({
  code: z.string().optional(),
  message: z.string(),
  field: z.string().optional(),
});
export const identityFailure = z.union([identityError, errorBody]);

/** `GET /api/auth/recovery`: whether a forgotten password is reset by mail; otherwise the operator issues a link, and `noMailBecause` says why. */
export const recovery = z.object({ byMail: z.boolean(), noMailBecause: distrust.nullable() });
export type Recovery = z.infer<typeof recovery>;

/** Where people may have an account with which they sign in here. */
export const signInProvider = z.enum(['google', 'github', 'oidc']);
export type SignInProvider = z.infer<typeof signInProvider>;
/** The operator may have named the last one, see `openIdName`. */
export const PROVIDER_NAMES: Record<SignInProvider, string> = {
  google: 'Google',
  github: 'GitHub',
  oidc: 'your organization',
};

/** `GET /api/auth/providers`: the ones that this server is known to. */
export const signInProviders = z.object({
  providers: z.array(signInProvider),
  /** What people here call the OpenID provider, where there is one. */
  openIdName: z.string().optional(),
  /** There where nobody signs in or up with a password. */
  passwords: z.literal(false).optional(),
});

/** `POST /api/auth/sign-in/social` and `…/link-social`: where the browser goes on. */
export const providerAddress = z.looseObject({ url: z.string() });

/** A passkey as the account page lists it. */
export const passkey = z.object({ id: z.string(), name: z.string(), createdAt: instant });
export type Passkey = z.infer<typeof passkey>;
export const passkeyAnswer = z.object({ passkey });
export const passkeysAnswer = z.object({ passkeys: z.array(passkey) });
/** What a browser needs to make or use a passkey, as WebAuthn has it. */
export const passkeyOptions = z.looseObject({ challenge: z.string() });

/** `POST /api/auth/passkey/verify-authentication`; the sign-in itself is the cookie. */
export const passkeySignIn = z.looseObject({ user: identityUser });

/** The largest photo, in bytes and in pixels a side; the page makes them 256 pixels square. */
export const PHOTO_LIMITS = { bytes: 512 * 1024, pixels: 1024, side: 256 } as const;
/** `PUT /api/me/photo`. */
export const photoAnswer = z.object({ photoURL: z.string() });

/** `POST /api/auth/verify-email`: the address that is confirmed now, whether it is the account's new one, and how many ways in were suspended. */
export const emailConfirmed = z.object({
  status: z.literal(true),
  email: z.string(),
  changed: z.boolean(),
  suspended: z.number().int(),
});

/** `POST /api/auth/change-email`: false when a mailed link has to confirm it first. */
export const emailChange = z.object({ status: z.literal(true), changed: z.boolean() });

/** `GET /api/auth/password-rules`: what a new password needs; lengths in characters. */
export const passwordRules = z.object({
  min: z.number().int(),
  max: z.number().int(),
  lowercase: z.boolean(),
  uppercase: z.boolean(),
  number: z.boolean(),
  symbol: z.boolean(),
  /** Those that are guessed first are refused. */
  uncommon: z.boolean(),
});
export type PasswordRules = z.infer<typeof passwordRules>;

/** The rules by default. */
export const DEFAULT_PASSWORD_RULES: PasswordRules = {
  min: DEFAULT_PASSWORD_MIN,
  max: 128,
  lowercase: false,
  uppercase: false,
  number: false,
  symbol: false,
  uncommon: false,
};

/** The rules in one sentence, for example `At least 8 characters, with an uppercase letter and a number.` */
export function describePasswordRules(rules: PasswordRules): string {
  const parts = [
    rules.lowercase ? 'a lowercase letter' : '',
    rules.uppercase ? 'an uppercase letter' : '',
    rules.number ? 'a number' : '',
    rules.symbol ? 'a symbol such as ! or ?' : '',
  ].filter((part) => part !== '');
  const needed = parts.length === 0 ? '' : `, with ${new Intl.ListFormat('en').format(parts)}`;
  return `At least ${rules.min} characters${needed}.${rules.uncommon ? ' Common passwords are refused.' : ''}`;
}

/** `POST /api/auth/check-password`: whether a password is among the first that somebody would guess. */
export const passwordCheck = z.object({ common: z.boolean() });

export const accountCalls = calls('/api/me', {
  get: get('', 'getMe', 'Who is signed in, their plan, limits and models.', { answer: me }),
});

export const photoCalls = calls('/api/me/photo', {
  set: put('', 'setPhoto', 'Sets your photo: a PNG, JPEG or WebP.', {
    place: 'uploads',
    body: { type: 'image/*' },
    answer: photoAnswer,
    fails: ['unsupported_type'],
  }),
  remove: remove('', 'removePhoto', 'Removes your photo.'),
  get: get('/:file', 'getPhoto', 'Your photo.', { answer: { type: '*/*' }, fails: ['not_found'] }),
});

export const exportCalls = calls('/api/export', {
  export: get('', 'exportAccount', 'Everything of the account as an archive.', {
    answer: { type: 'application/zip', download: true },
  }),
});
