import { z } from 'zod';
import { calls, create, get, KEY_SCOPES, remove, under } from './calls.ts';
import { instant } from './ids.ts';
import { nameText } from './names/names.ts';

export const KEY_LIMITS = { keys: 20, name: 60, agents: 200 } as const;
/** How every key begins, so that people and scanners recognise one. */
export const KEY_PREFIX = 'atl_';

/** `read`: the list of agents, what they remember, their files. `talk`: send messages, and say what to remember. */
export const keyScope = z.enum(KEY_SCOPES);
export type KeyScope = z.infer<typeof keyScope>;

export const keyCreate = z.strictObject({
  name: nameText(KEY_LIMITS.name, 'The name', 'Name is required.'),
  /** Which agents it reaches, by their addresses; all of them, also later ones, when it is left out. */
  agentIds: z.array(z.string().min(1).max(200)).min(1, 'Choose at least one agent.').max(KEY_LIMITS.agents).optional(),
  scopes: z.array(keyScope).min(1, 'Choose at least one permission.').max(keyScope.options.length).optional(),
});
export type KeyCreate = z.infer<typeof keyCreate>;

/** A key without its secret. */
export const apiKey = z.object({
  id: z.string(),
  name: z.string(),
  /** Its last four characters, by which people recognise it. */
  hint: z.string(),
  scopes: z.array(keyScope),
  /** The living agents that it reaches; null for all. */
  agentIds: z.array(z.string()).nullable(),
  createdAt: instant,
  /** To the minute; null when it was never used. */
  lastUsedAt: instant.nullable(),
});
export type ApiKey = z.infer<typeof apiKey>;

/** `secret` is shown this once: the server stores only its hash. */
export const newApiKey = apiKey.extend({ secret: z.string() });
export type NewApiKey = z.infer<typeof newApiKey>;

export const keysAnswer = z.object({ keys: z.array(apiKey) });
export const newKeyAnswer = z.object({ key: newApiKey });

/** No key reaches these calls: a stolen one must not make others. */
export const keyCalls = calls(under('/api/keys', { who: 'pro' }), {
  list: get('', 'listKeys', 'Your API keys, without their secrets.', { answer: keysAnswer }),
  create: create('', 'createKey', 'Makes an API key; its secret is shown this once.', {
    body: keyCreate,
    answer: newKeyAnswer,
    fails: ['not_found', 'conflict'],
  }),
  revoke: remove('/:keyId', 'revokeKey', 'Revokes an API key at once.'),
});
