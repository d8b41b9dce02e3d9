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

/** A server of tools that a person added, with its tools as they were approved. */
export const mcpServer = z.object({
  id: z.string(),
  name: z.string(),
  url: z.string(),
  tools: z.array(tool),
  /** `changed`: it describes its tools otherwise than when they were approved, so they are off until approved again. */
  state: z.enum(['approved', 'changed']),
  /** What approving again takes: the descriptions, null where there is none. */
  changes: z.array(
    z.object({
      name: z.string(),
      before: z.string().nullable(),
      now: z.string().nullable(),
      /** What it takes as input and says of itself now, as JSON; null where that is as before. */
      input: z.string().nullable(),
    }),
  ),
  /** Names exactly what `changes` describes; approving takes it back. Null where nothing waits. */
  seen: z.string().nullable(),
  createdAt: instant,
});
export type McpServer = z.infer<typeof mcpServer>;

/** Approves the change that `seen` names. */
export const mcpApprove = z.strictObject({ seen: z.string().min(1).max(200) });
export type McpApprove = z.infer<typeof mcpApprove>;

export const mcpServerAnswer = z.object({ server: mcpServer });
export const mcpServersAnswer = z.object({ servers: z.array(mcpServer) });
