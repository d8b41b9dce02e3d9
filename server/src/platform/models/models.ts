import type { Embedder } from './embedder.ts';

/** What one run asks of a model, provider-neutral. */
export interface GenerateInput {
  /** The agent's model id, for example `gpt-4`. */
  model: string;
  /** The whole system text: the agent's prompt and the quoted memory. */
  instructions: string;
  /** The conversation, oldest first; the last one is what the person just wrote. */
  messages: { role: 'user' | 'assistant'; text: string }[];
  /** 0 to 2. */
  temperature: number;
  signal: AbortSignal;
  /** What the model may call while it answers; none where it is left out. */
  tools?: ModelTool[];
  /** The same knowledge in parts, for the built-in offline model, which reads no prose. */
  context: GenerateContext;
}

/** A tool as a model is told of it. Its name has letters, digits, `_` and `-` only. */
export interface ModelTool {
  name: string;
  description: string;
  /** JSON Schema of the input. */
  inputSchema: Record<string, unknown>;
  /** What the model is told of the call; a failure is told to it too, so this throws only where the whole run ends. */
  execute(input: unknown): Promise<unknown>;
}

/** A model may go so many rounds of calls; in the last one it has to answer. */
export const STEPS_MAX = 8;

export interface GenerateContext {
  agentName: string;
  prompt: string;
  /** False where the agent neither recalls nor stores: what is said stays in the session. */
  remembers: boolean;
  /** Best first. `sameSession`: said in this very conversation. */
  memories: {
    id: string;
    kind: 'person' | 'agent' | 'file';
    text: string;
    timestamp: string;
    sessionName: string;
    sameSession: boolean;
    score: number;
  }[];
}

/** The older part of a long session, to be told in few words. */
export interface SummaryInput {
  /** The summary of what came before these exchanges; empty at first. */
  previous: string;
  /** Oldest first. */
  exchanges: { inputText: string; message: string }[];
}

/** A call that can't be begun: there is no such tool, or its input is not JSON. The model is told so. */
export interface RefusedCall {
  name: string;
  /** As far as it could be read. */
  input: unknown;
  /** Why, for people. */
  sentence: string;
}

export type ModelEvent =
  | { type: 'delta'; text: string }
  | ({ type: 'refused' } & RefusedCall)
  | { type: 'end'; usage: { inputTokens: number; outputTokens: number; estimated: boolean } };

export interface Models {
  readonly kind: 'offline' | 'openai-compatible';
  /** For people: “Built-in offline model” or the provider's host. */
  readonly label: string;
  /** Null where nothing is configured that makes embeddings. */
  readonly embedder: Embedder | null;
  list(): { id: string; label: string }[];
  /** Ends with one `end` event or throws ProviderError; aborting `signal` throws the signal's reason. */
  stream(input: GenerateInput): AsyncIterable<ModelEvent>;
  /** The notes of a conversation, a few hundred words; `extractive` where they are its own sentences. Throws ProviderError. */
  summarise(
    input: SummaryInput & { model: string; signal: AbortSignal },
  ): Promise<{ text: string; kind: 'model' | 'extractive' }>;
  /** A session title of at most 60 characters for a first exchange. Throws ProviderError. */
  title(input: { model: string; question: string; answer: string; signal: AbortSignal }): Promise<string>;
}
