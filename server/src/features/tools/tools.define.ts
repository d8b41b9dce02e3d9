import { z } from 'zod';
import type { Caller } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';

/** Where a tool is used, and by whom. `agentId` is the hidden key. */
export interface ToolUse {
  ctx: Deps;
  uid: string;
  plan: Caller['plan'];
  sessionId: string;
  agentId: string;
  signal: AbortSignal;
}

/** A tool that can be run. */
export interface RunnableTool {
  id: string;
  description: string;
  writes: boolean;
  /** Null for the product's own. */
  server: string | null;
  /** JSON Schema of the input. */
  inputSchema: Record<string, unknown>;
  /** Throws ToolFailed with a sentence for the model and the person. */
  run(input: unknown, use: ToolUse): Promise<unknown>;
}

/** Why a tool gave no result, in a sentence that may be shown. */
export class ToolFailed extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ToolFailed';
  }
}

/** Makes a tool of the product: its input is checked by the schema that the model is told. */
export function defineTool<S extends z.ZodObject>(tool: {
  id: string;
  description: string;
  input: S;
  run(input: z.output<S>, use: ToolUse): Promise<unknown>;
}): RunnableTool {
  const { $schema: _schema, ...inputSchema } = z.toJSONSchema(tool.input, { io: 'input' });
  return {
    id: tool.id,
    description: tool.description,
    writes: false,
    server: null,
    inputSchema,
    run: async (input, use) => {
      const parsed = tool.input.safeParse(input);
      if (parsed.success) return tool.run(parsed.data, use);
      const issue = parsed.error.issues[0];
      throw new ToolFailed(`The input does not fit: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`.trim());
    },
  };
}
