import { z } from 'zod';
import { calls, create, get, put } from './calls.ts';
import { instant, pageQuery } from './ids.ts';
import { cleanLines, cleanName, fitName, nameText, shortText } from './names/names.ts';
import { plainText, tooLong } from './names/plain-text.ts';

export const DEFAULT_MODELS = ['gpt-3.5-turbo', 'gpt-4'] as const;
export const DEFAULT_MODEL = 'gpt-4';
export const AGENT_LIMITS = {
  name: 100,
  description: 160,
  prompt: 20_000,
  tags: 20,
  tag: 40,
  tools: 50,
  starters: 4,
  starter: 200,
} as const;

/** Names have 1–100 characters, and are not `.` or `..`, which no address can hold. */
export const agentName = nameText(AGENT_LIMITS.name, 'The name', 'Name is required.').refine(
  (s) => s !== '.' && s !== '..',
  "An agent can't be named “.” or “..”.",
);

/** What an agent is for, in a short line; empty where nobody wrote one. */
export const agentDescription = shortText(AGENT_LIMITS.description, 'The description');

export const agentPrompt = plainText(AGENT_LIMITS.prompt, 'The prompt').refine(
  (s) => s.trim() !== '',
  'Prompt is required.',
);

const distinctTags = (tags: readonly string[]) => [
  ...new Set(tags.map((t) => cleanName(t).toLowerCase()).filter((t) => t !== '')),
];

/** Tags as they are stored: lowercased, those without a visible character and repetitions dropped. */
export const agentTags = z
  .array(z.string('A tag must be text.').overwrite(cleanName).max(AGENT_LIMITS.tag, tooLong(AGENT_LIMITS.tag, 'A tag')))
  .transform(distinctTags)
  .refine((tags) => tags.length <= AGENT_LIMITS.tags, `An agent can have at most ${AGENT_LIMITS.tags} tags.`);

/** What a person may begin with, shown in an empty session; those without a visible character are dropped. */
export const agentStarters = z
  .array(shortText(AGENT_LIMITS.starter, 'A starter'))
  .transform((starters) => starters.filter((s) => s !== ''))
  .refine((s) => s.length <= AGENT_LIMITS.starters, `An agent can have at most ${AGENT_LIMITS.starters} starters.`);

/** Tags as they are typed: comma-separated. */
export const parseTags = (typed: string): string[] => distinctTags(typed.split(/[,،、，]/u));

/** Excerpts of prompts: in the library and on explore. Characters. */
export const EXCERPT = { library: 100, explore: 160 } as const;

/** The first `length` code points of a text, with "…" where it was cut. */
export function excerpt(text: string, length: number): string {
  // A code point takes at most two units; the rest of a long prompt need not be split.
  const points = Array.from(text.slice(0, length * 2 + 2));
  return points.length > length ? `${points.slice(0, length).join('')}…` : text;
}

/**
 * The settings of an agent, in the order in which files and differences show them: a new one is added here. All that stores, copies,
 * compares, exports, imports or edits agents follows from this list, and where more must be said of a setting, the compiler asks for it.
 */
export const agentSettings = z.strictObject({
  name: agentName,
  description: agentDescription,
  prompt: agentPrompt,
  model: z.string().min(1).max(200),
  tags: agentTags,
  tools: z.array(z.string().min(1).max(200)).max(AGENT_LIMITS.tools),
  temperature: z.number().min(0, 'Temperature must be between 0 and 2.').max(2, 'Temperature must be between 0 and 2.'),
  memoryEnabled: z.boolean(),
  starters: agentStarters,
});
export type AgentSettings = z.infer<typeof agentSettings>;
export type SettingName = keyof AgentSettings;
export const SETTING_NAMES: readonly SettingName[] = agentSettings.keyof().options;

/** What a new agent has where nothing else is given. */
export const NEW_AGENT: Omit<AgentSettings, 'name' | 'prompt'> = {
  description: '',
  model: DEFAULT_MODEL,
  tags: [],
  tools: [],
  temperature: 0.5,
  memoryEnabled: true,
  starters: [],
};

/** The settings as they are answered, without limits: no agent disappears because a limit was lowered after it was stored. */
export const storedSettings = z.object({
  name: z.string(),
  description: z.string(),
  prompt: z.string(),
  model: z.string(),
  tags: z.array(z.string()),
  tools: z.array(z.string()),
  temperature: z.number(),
  memoryEnabled: z.boolean(),
  starters: z.array(z.string()),
} satisfies { [Name in SettingName]: z.ZodType<AgentSettings[Name]> });

/** The settings and nothing else of what has them: what a copy or a file of an agent holds. */
export const settingsOf = (agent: AgentSettings): AgentSettings => storedSettings.parse(agent);

/** What an agent is called whose name has nothing visible. */
export const UNNAMED_AGENT = 'Unnamed agent';

/** Settings that were stored before names were cleaned, as they are stored now. */
export const cleanSettings = (stored: AgentSettings): AgentSettings => ({
  ...stored,
  name: fitName(stored.name, AGENT_LIMITS.name, UNNAMED_AGENT),
  description: cleanLines(stored.description),
  tags: distinctTags(stored.tags),
  starters: stored.starters.map(cleanLines).filter((s) => s !== ''),
});

/** An update merges: what is left out stays as it is. */
export const agentUpdate = agentSettings.extend({ isPublic: z.boolean() }).partial();
export type AgentUpdate = z.input<typeof agentUpdate>;

/** What a person sends to create an agent. Counts, owner and times are the server's. */
export const agentCreate = agentUpdate
  .extend({ name: agentName, prompt: agentPrompt })
  // The server decides about the model where none is named: the usual one may not be offered.
  .transform((body) => ({ ...NEW_AGENT, isPublic: false, model: undefined, ...body }));
export type AgentCreate = z.input<typeof agentCreate>;

/** The agent that a copy was made from, as it was called then; it may be gone since. */
export const forkedFrom = z.object({
  creatorId: z.string(),
  agentId: z.string(),
  name: z.string(),
  /** The tools that it used then; a copy has them off until its owner turns each on. */
  tools: z.array(z.string()),
});

export const agent = storedSettings.extend({
  /** The address, unique among the owner's living agents. */
  id: z.string(),
  isPublic: z.boolean(),
  favoriteCount: z.number().int(),
  creatorId: z.string(),
  /** Null for an agent that is nobody's copy, or where the original's account is gone. */
  forkedFrom: forkedFrom.nullable(),
  /** Why the operator has unpublished it; null once it is published again. */
  unpublishedReason: z.string().nullable(),
  createdAt: instant,
  updatedAt: instant,
});
export type Agent = z.infer<typeof agent>;

export const agentAnswer = z.object({ agent });
export const agentsAnswer = z.object({ agents: z.array(agent), nextCursor: z.string().nullable() });

export const agentCalls = calls('/api/agents', {
  list: get('', 'listAgents', 'Your agents.', { query: pageQuery, answer: agentsAnswer }),
  create: create('', 'createAgent', 'Creates an agent.', {
    rate: 'agents',
    body: agentCreate,
    answer: agentAnswer,
    fails: ['limit_reached', 'conflict'],
  }),
  get: get('/:agentId', 'getAgent', 'One of your agents.', { answer: agentAnswer }),
  update: put('/:agentId', 'updateAgent', 'Changes an agent.', {
    body: agentUpdate,
    answer: agentAnswer,
    fails: ['conflict'],
  }),
});
