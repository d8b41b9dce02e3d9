import { z } from 'zod';
import { instant } from './ids.ts';

/** What a free account may do in all. Pro has no such limits. */
export const FREE_LIMITS = { messages: 10, tasks: 50, sessions: 3 } as const;

/** Password length where the operator says nothing else. */
export const DEFAULT_PASSWORD_MIN = 6;

/** The signed-in user, as the specification names its fields. */
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

export const modelInfo = z.object({ id: z.string(), label: z.string() });

/** `GET /api/me`: who is signed in, what they may do, and what answers them. */
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
  modelProvider: z.object({ kind: z.enum(['offline', 'openai-compatible']), label: z.string() }),
});
export type Me = z.infer<typeof me>;

/** `DELETE /api/me`. */
export const deleteAccountBody = z.strictObject({
  password: z.string('The password is missing.').min(1, 'The password is missing.').max(4_096),
});
export const deleteAccountAnswer = z.object({ deleted: z.literal(true) });
