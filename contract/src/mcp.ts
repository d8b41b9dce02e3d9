import { z } from 'zod';
import { plainText } from './agents.ts';
import { instant } from './ids.ts';
import { tool } from './tools.ts';

export const MCP_LIMITS = { servers: 20, name: 60 } as const;

export const mcpServerCreate = z.strictObject({
  name: plainText(MCP_LIMITS.name, 'The name').trim().min(1, 'Name is required.'),
  url: z.url({ protocol: /^https?$/, error: 'Enter an address that begins with https:// or http://.' }).max(2_000),
});
export type McpServerCreate = z.infer<typeof mcpServerCreate>;

/** A tool server that a person added, with its tools as approved. */
export const mcpServer = z.object({
  id: z.string(),
  name: z.string(),
  url: z.string(),
  tools: z.array(tool),
  /** `changed`: its tools differ from the approved ones, so they are off until approved again. */
  state: z.enum(['approved', 'changed']),
  /** What a new approval would accept: the descriptions, null for a tool that is missing on that side. */
  changes: z.array(
    z.object({
      name: z.string(),
      before: z.string().nullable(),
      now: z.string().nullable(),
      /** Its present input schema and annotations, as JSON; null when unchanged. */
      input: z.string().nullable(),
    }),
  ),
  /** Identifies exactly what `changes` describes; approving requires it. Null when nothing waits. */
  seen: z.string().nullable(),
  createdAt: instant,
});
export type McpServer = z.infer<typeof mcpServer>;

/** Approves the change that `seen` identifies. */
export const mcpApprove = z.strictObject({ seen: z.string().min(1).max(200) });
export type McpApprove = z.infer<typeof mcpApprove>;

export const mcpServerAnswer = z.object({ server: mcpServer });
export const mcpServersAnswer = z.object({ servers: z.array(mcpServer) });
