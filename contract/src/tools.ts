import { z } from 'zod';

/** One tool of the catalogue. */
export const tool = z.object({
  id: z.string(),
  description: z.string(),
  /** It changes something outside of the conversation, so each call is asked for first. */
  writes: z.boolean(),
  /** Null for the product's own tools, else the name of the server that offers it. */
  server: z.string().nullable(),
  /** Why it does nothing at present, in a sentence. */
  off: z.string().optional(),
});
export type Tool = z.infer<typeof tool>;
export const toolsAnswer = z.object({ tools: z.array(tool) });

/** A tool's id as people read it: without the random key that stands for a person's own server. */
export const shownToolName = (id: string): string => id.replace(/^s[0-9a-f]{8}__(?=.)/, '');

/** The person's answer to a tool that asks: this call, all its calls in this session, or not. */
export const approval = z.strictObject({
  callId: z.string().min(1).max(200),
  decision: z.enum(['once', 'session', 'deny']),
});
export type Approval = z.infer<typeof approval>;

/** One use of a tool within a task. */
export const toolCall = z.object({
  id: z.string(),
  name: z.string(),
  /** `waiting`: the person is asked whether it may run. */
  state: z.enum(['running', 'waiting', 'done', 'failed']),
  input: z.unknown().optional(),
  /** Set once the person is or was asked: why, in sentences, and the whole address or the server that the input goes to. */
  question: z.object({ why: z.string(), to: z.string() }).optional(),
  /** What the tool answered; for `failed` the sentence that says why. */
  output: z.unknown().optional(),
  startedAt: z.string().optional(),
  /** How long it took, in milliseconds, once it has ended. */
  ms: z.number().int().optional(),
});
export type ToolCall = z.infer<typeof toolCall>;

/** What `search_files` answers, so that a page can lead to the place. */
export const filePassages = z.object({
  passages: z.array(z.object({ fileId: z.string(), file: z.string(), place: z.string(), text: z.string() })),
});
