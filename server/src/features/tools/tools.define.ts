import type { MemoryItem } from '@atelier/contract/memory';
import { z } from 'zod';
import type { Caller } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import type { McpAnswer, McpProgress, McpQuestion, McpResult } from '../../platform/mcp/mcp-connection.ts';

/** Where a tool is used, and by whom. `agentId` is the hidden key. */
export interface ToolUse {
  ctx: Deps;
  uid: string;
  plan: Caller['plan'];
  sessionId: string;
  agentId: string;
  signal: AbortSignal;
  /** Called with the memories and passages in an answer, before the model sees it. */
  onRecalled(items: readonly Pick<MemoryItem, 'id' | 'kind'>[]): Promise<void>;
  /** Called when a server says how far it is. */
  onProgress(progress: McpProgress): void;
  /** Asks the person what a server wants to know, in the conversation. */
  ask(server: string, question: McpQuestion): Promise<McpAnswer>;
}

/** What a tool answered beside what its model reads. */
export type ToolExtras = Omit<McpResult, 'text' | 'isError'>;

/** A tool that can be run. */
export interface RunnableTool {
  id: string;
  description: string;
  writes: boolean;
  /** It fails with a sentence and reaches nobody, so it needs no approval. */
  isOff?: boolean;
  /** It says by itself how long it may take. */
  isPatient?: boolean;
  /** Null for a built-in tool. */
  server: string | null;
  /** Identifies what was approved of a server's tool; null for a built-in one. */
  hash: string | null;
  /** The address that an input is sent to, for a tool that uses the web. */
  addressOf?(input: unknown): string | undefined;
  /** JSON Schema of the input. */
  inputSchema: Record<string, unknown>;
  /** Throws ToolFailed with a sentence for the model and the person. */
  run(input: unknown, use: ToolUse): Promise<unknown>;
}

/** An answer with more than its model reads. */
export class AnswerWithExtras {
  readonly output: unknown;
  readonly extras: ToolExtras;
  constructor(output: unknown, extras: ToolExtras) {
    this.output = output;
    this.extras = extras;
  }
}

/** Why a tool gave no result, in a sentence that may be shown. */
export class ToolFailed extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ToolFailed';
  }
}

/** Defines a built-in tool: its input is checked with the schema that the model sees. */
export function defineTool<S extends z.ZodObject>(tool: {
  id: string;
  description: string;
  input: S;
  addressOf?(input: z.output<S>): string;
  run(input: z.output<S>, use: ToolUse): Promise<unknown>;
}): RunnableTool {
  const { $schema: _schema, ...inputSchema } = z.toJSONSchema(tool.input, { io: 'input' });
  return {
    id: tool.id,
    description: tool.description,
    writes: false,
    server: null,
    hash: null,
    inputSchema,
    addressOf: (input) => {
      const { data, success } = tool.input.safeParse(input);
      return success ? tool.addressOf?.(data) : undefined;
    },
    run: async (input, use) => {
      const parsed = tool.input.safeParse(input);
      if (parsed.success) return tool.run(parsed.data, use);
      const issue = parsed.error.issues[0];
      throw new ToolFailed(`The input does not fit: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`.trim());
    },
  };
}
