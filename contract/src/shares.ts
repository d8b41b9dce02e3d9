import { z } from 'zod';
import { agent } from './agents.ts';
import { calls, create, get, patch, remove } from './calls.ts';
import { instant, uuid } from './ids.ts';
import { memoryItem } from './memory.ts';
import { toolCall } from './tools.ts';

export const SHARE_LIMITS = {
  /** Links of one account. */
  links: 200,
  /** Exchanges in one link, the last ones. */
  exchanges: 300,
  /** Characters in one link: the page has to stay readable. */
  characters: 1_000_000,
} as const;

/** The random part of a link's address. */
export const shareToken = z.string().regex(/^[\w-]{43}$/u);

/** The path of the page that a link leads to. */
export const sharedPath = (token: string) => `/shared/${token}`;

export const shareCreate = z
  .strictObject({
    /** One answer; without it, the session. */
    taskId: uuid.optional(),
    /** Shows what the agent remembered and which tools it used. */
    withReceipts: z.boolean().default(false),
    /** Shows later exchanges too. */
    follows: z.boolean().default(false),
  })
  .refine(({ taskId, follows }) => taskId === undefined || !follows, {
    path: ['follows'],
    message: 'One answer can’t follow a session. Share the session instead.',
  });
export type ShareCreate = z.infer<typeof shareCreate>;

export const shareUpdate = z.strictObject({
  withReceipts: z.boolean().optional(),
  follows: z.boolean().optional(),
  /** Shows the session as it is now. */
  renew: z.boolean().optional(),
});
export type ShareUpdate = z.infer<typeof shareUpdate>;

/** A link, as its owner manages it. */
export const share = z.object({
  id: z.string(),
  /** The link is `/shared/{token}`. */
  token: z.string(),
  sessionId: z.string(),
  sessionName: z.string(),
  agentName: z.string(),
  /** The one answer that is shared; null for the session. */
  taskId: z.string().nullable(),
  withReceipts: z.boolean(),
  follows: z.boolean(),
  /** How many exchanges it shows; null when it follows the session. */
  exchanges: z.number().int().nullable(),
  createdAt: instant,
  /** It shows the session as it was then. */
  takenAt: instant,
});
export type Share = z.infer<typeof share>;

/** What an answer was given from memory, without ids. A passage of a file has no text. */
export const sharedMemory = memoryItem.pick({ kind: true, text: true, timestamp: true });
export const sharedCall = toolCall.pick({ name: true, input: true }).extend({ failed: z.boolean() });

export const sharedExchange = z.object({
  timestamp: instant,
  agentName: z.string(),
  inputText: z.string(),
  message: z.string(),
  /** The built-in offline model answered. */
  offline: z.boolean(),
  /** Empty unless the link has receipts. */
  memories: z.array(sharedMemory),
  calls: z.array(sharedCall),
});
export type SharedExchange = z.infer<typeof sharedExchange>;

/** What anyone with the link may read. It names no account. */
export const shared = z.object({
  /** The session's name; null for a single answer. */
  title: z.string().nullable(),
  agentName: z.string(),
  /** The agent is public, so anyone who signs in can go on with a copy. */
  mayCopy: z.boolean(),
  /** Earlier exchanges are not part of it. */
  hasEarlier: z.boolean(),
  follows: z.boolean(),
  takenAt: instant,
  exchanges: z.array(sharedExchange),
});
export type Shared = z.infer<typeof shared>;

export const shareAnswer = z.object({ share });
export const sharesAnswer = z.object({ shares: z.array(share) });
export const sharedAnswer = z.object({ shared });
export const sharedCopyAnswer = z.object({ agent });

export const shareCalls = calls('/api', {
  listOfSession: get('/sessions/:sessionId/shares', 'listSharesOfSession', 'Links to a session.', {
    answer: sharesAnswer,
  }),
  create: create('/sessions/:sessionId/shares', 'createShare', 'Shares a session or an answer.', {
    body: shareCreate,
    answer: shareAnswer,
    fails: ['conflict'],
  }),
  list: get('/shares', 'listShares', 'All your links.', { answer: sharesAnswer }),
  update: patch('/shares/:shareId', 'updateShare', 'Changes what a link shows.', {
    body: shareUpdate,
    answer: shareAnswer,
    fails: ['conflict'],
  }),
  revoke: remove('/shares/:shareId', 'revokeShare', 'Ends a link.'),
  read: get('/shared/:token', 'readShared', 'What a link shows.', {
    who: 'public',
    answer: sharedAnswer,
    fails: ['too_many_requests'],
  }),
  copy: create('/shared/:token/copy', 'copyShared', 'Copies a link’s public agent.', {
    rate: 'agents',
    answer: sharedCopyAnswer,
    fails: ['limit_reached'],
  }),
});
