import { z } from 'zod';

/** One tool of the catalogue. */
export const tool = z.object({
  id: z.string(),
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

/** A tool's id for people: without the random key of a person's own server. */
export const shownToolName = (id: string): string => id.replace(/^s[0-9a-f]{8}__(?=.)/, '');

/** The person's decision about a tool: this call, all its calls in this session, or no. */
export const approval = z.strictObject({
  callId: z.string().min(1).max(200),
  decision: z.enum(['once', 'session', 'deny']),
});
export type Approval = z.infer<typeof approval>;

/** One use of a tool in a task. */
export const toolCall = z.object({
  id: z.string(),
  name: z.string(),
  /** `waiting`: the person is asked whether it may run. */
  state: z.enum(['running', 'waiting', 'done', 'failed']),
  input: z.unknown().optional(),
  /** Set when the person is or was asked: why, in sentences, and the complete address or server that gets the input. */
  question: z.object({ why: z.string(), to: z.string() }).optional(),
  /** The tool's answer; for `failed` the sentence that says why. */
  output: z.unknown().optional(),
  startedAt: z.string().optional(),
  /** Its duration in milliseconds, once it has ended. */
  ms: z.number().int().optional(),
});
export type ToolCall = z.infer<typeof toolCall>;

/** The answer of `search_files`, so that a page can link to the place. */
export const filePassages = z.object({
  passages: z.array(z.object({ fileId: z.string(), file: z.string(), place: z.string(), text: z.string() })),
});
