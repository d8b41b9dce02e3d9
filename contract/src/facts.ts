import { z } from 'zod';
import { calls, get, patch, post, put, remove, under } from './calls.ts';
import { instant } from './ids.ts';
import { plainText } from './names/plain-text.ts';

export const FACT_TEXT_MAX = 300;
export const FACTS_PINNED_MAX = 20;

/** A short statement of the person that an agent knows, and where it is from. */
export const fact = z.object({
  id: z.string(),
  /** The agent's address. */
  agentId: z.string(),
  agentName: z.string(),
  text: z.string(),
  /** Whom or what it is about, for people: “You”, a name. */
  about: z.string(),
  source: z.object({
    memoryId: z.string(),
    sessionId: z.string(),
    sessionName: z.string(),
    /** The exchange that states it, if that still exists. */
    taskId: z.string().optional(),
    timestamp: instant,
  }),
  /** The earlier fact that this one replaced. */
  supersedes: z.string().optional(),
  /** The later fact that replaced this one: it is shown, but no longer given to the agent. */
  replacedBy: z.string().optional(),
  /** Given to the agent whatever is asked. */
  pinned: z.boolean(),
  /** True when the person wrote its text. */
  corrected: z.boolean(),
});
export type Fact = z.infer<typeof fact>;

export const factsQuery = z.object({ agentId: z.string().max(300).optional(), q: z.string().max(500).optional() });
export type FactsQuery = z.infer<typeof factsQuery>;

/** Corrects a fact, pins it or unpins it. */
export const factUpdate = z
  .strictObject({
    text: plainText(FACT_TEXT_MAX, 'A fact').refine((s) => s.trim() !== '', 'A fact needs some text.'),
    pinned: z.boolean(),
  })
  .partial()
  .refine((change) => Object.keys(change).length > 0, 'Nothing to change was sent.');
export type FactUpdate = z.infer<typeof factUpdate>;

export const factAnswer = z.object({ fact });
/** Newest first; at most the newest `FACTS_LISTED`. */
export const factsAnswer = z.object({ facts: z.array(fact), more: z.boolean() });
export const FACTS_LISTED = 1_000;
export const factsExport = z.object({ facts: z.array(fact) });

/** `distil`: whether facts are kept for this account; `installation`: how this server finds them. */
export const factSettings = z.object({ distil: z.boolean(), installation: z.enum(['model', 'rules', 'off']) });
export const factSettingsUpdate = z.strictObject({ distil: z.boolean() });
export type FactSettings = z.infer<typeof factSettings>;

export const factCalls = calls(under('/api/facts', { who: 'pro' }), {
  list: get('', 'listFacts', 'What your agents know of you.', {
    query: factsQuery,
    answer: factsAnswer,
    fails: ['not_found'],
  }),
  export: get('/export', 'exportFacts', 'Facts as a file.', {
    query: factsQuery,
    answer: { type: 'application/json', download: true, content: factsExport },
    fails: ['not_found'],
  }),
  settings: get('/settings', 'getFactSettings', 'Whether facts are kept.', { answer: factSettings }),
  changeSettings: put('/settings', 'changeFactSettings', 'Keeps facts, or not.', {
    body: factSettingsUpdate,
    answer: factSettings,
  }),
  update: patch('/:factId', 'updateFact', 'Corrects or pins a fact.', {
    body: factUpdate,
    answer: factAnswer,
    fails: ['conflict'],
  }),
  forget: remove('/:factId', 'forgetFact', 'Forgets a fact.'),
  restore: post('/:factId/restore', 'restoreFact', 'Takes forgetting back.', {
    answer: factAnswer,
    fails: ['conflict'],
  }),
});
