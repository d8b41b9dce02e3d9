import { z } from 'zod';
import { calls, get } from './calls.ts';
import { fieldValue, serverField } from './mcp/server-fields.ts';

/** One tool of the catalogue. */
export const tool = z.object({
  id: z.string(),
  /** What its server calls it, where its id can't hold that. */
  title: z.string().optional(),
  description: z.string(),
  /** It changes something outside the conversation, so each call needs approval. */
  writes: z.boolean(),
  /** Null for built-in tools, otherwise the name of its server. */
  server: z.string().nullable(),
  /** Why it is off, in one sentence. */
  off: z.string().optional(),
});
export type Tool = z.infer<typeof tool>;
export const toolsAnswer = z.object({ tools: z.array(tool) });

const BUILT_IN = new Map([
  ['calculator', 'Calculator'],
  ['current_time', 'Date and time'],
  ['find_tools', 'Find tools'],
  ['run_javascript', 'Run JavaScript'],
  ['search_files', 'Search files'],
  ['search_memory', 'Search memory'],
  ['web_fetch', 'Fetch a web page'],
]);

/** A tool's id without the random key of a person's own server. */
export const withoutServerKey = (id: string): string => id.replace(/^s[0-9a-f]{8}__(?=.)/, '');

/** A tool's name for people. */
export const shownToolName = (id: string): string => BUILT_IN.get(id) ?? withoutServerKey(id);

/** The id that stands for all tools of a tool's server in an agent's list, those of later included; null for a built-in tool. */
export const allOfServer = (id: string): string | null => (id.includes('__') ? `${id.split('__', 1)[0]}__*` : null);

/** The person's decision about a tool: this call, all its calls in this session, or no. */
export const approval = z.strictObject({
  callId: z.string().min(1).max(200),
  decision: z.enum(['once', 'session', 'deny']),
});
export type Approval = z.infer<typeof approval>;

/** The person's answer to a server's question, or that they give none. */
export const toolAnswer = z.strictObject({
  /** The question's id. */
  id: z.string().min(1).max(200),
  action: z.enum(['accept', 'decline']),
  content: z
    .record(z.string().max(200), fieldValue)
    .refine((content) => Object.keys(content).length <= 50, 'A form has at most 50 fields.')
    .default({}),
});
export type ToolAnswer = z.infer<typeof toolAnswer>;

/** A picture, a sound or another file that a tool answered; `GET …/tasks/:taskId/media/:id` has its bytes. */
export const toolMedia = z.object({ id: z.string(), type: z.string(), name: z.string().optional() });
export type ToolMedia = z.infer<typeof toolMedia>;

/** One use of a tool in a task. `question`: may it run. `asks`: what its server asks. */
export const toolCall = z.object({
  id: z.string(),
  name: z.string(),
  /** `waiting`: the person is asked whether it may run, or what its server asks. */
  state: z.enum(['running', 'waiting', 'done', 'failed']),
  input: z.unknown().optional(),
  /** Set when the person is or was asked: why, in sentences, and the complete address or server that gets the input. */
  question: z.object({ why: z.string(), to: z.string() }).optional(),
  /** The tool's answer; for `failed` the sentence that says why. */
  output: z.unknown().optional(),
  /** While it runs: how far it is by its server's own count, and what it says it does. */
  progress: z.object({ done: z.number(), total: z.number().optional(), message: z.string().optional() }).optional(),
  /** While it waits: what its server asks the person, under an id of its own. */
  asks: z.object({ id: z.string(), server: z.string(), message: z.string(), fields: z.array(serverField) }).optional(),
  media: z.array(toolMedia).optional(),
  links: z.array(z.object({ uri: z.string(), name: z.string(), description: z.string().optional() })).optional(),
  /** The answer as data, to be shown as a table. */
  structured: z.record(z.string(), z.unknown()).optional(),
  startedAt: z.string().optional(),
  /** Its duration in milliseconds, once it has ended. */
  ms: z.number().int().optional(),
});
export type ToolCall = z.infer<typeof toolCall>;

/** A tool of the agent that was not offered to the model directly: no room for its description, or it is not here any more. */
export const toolLeftOut = z.object({ id: z.string(), why: z.enum(['room', 'missing']) });
export type ToolLeftOut = z.infer<typeof toolLeftOut>;

/** The answer of `search_files`, so that a page can link to the place. */
export const filePassages = z.object({
  passages: z.array(z.object({ fileId: z.string(), file: z.string(), place: z.string(), text: z.string() })),
});

export const catalogueCalls = calls('/api/tools', {
  list: get('', 'listTools', 'The tools that agents may use.', { answer: toolsAnswer }),
});
