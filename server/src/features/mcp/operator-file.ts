import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Config } from '../../config.ts';

const NAME = /^[a-zA-Z0-9-]{1,14}$/;
const NAME_RULE = 'a server’s name has 1 to 14 letters, digits or hyphens';

const server = z.union([
  z.strictObject({
    command: z.string().min(1),
    args: z.array(z.string()).default([]),
    env: z.record(z.string(), z.string()).default({}),
  }),
  z.strictObject({ url: z.url(), headers: z.record(z.string(), z.string()).default({}) }),
]);
export type OperatorServer = z.infer<typeof server>;

const file = z.strictObject({
  mcpServers: z.record(z.string().regex(NAME), server),
});

/** The servers of the operator's file; empty without one. Throws a sentence for the operator. */
export function readOperatorServers(config: Pick<Config, 'MCP_SERVERS_FILE'>): Record<string, OperatorServer> {
  const path = config.MCP_SERVERS_FILE;
  if (path === undefined) return {};
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new Error(
      `MCP_SERVERS_FILE ${path} can't be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  const parsed = file.safeParse(json);
  if (parsed.success) return parsed.data.mcpServers;
  const issue = parsed.error.issues[0];
  const told = issue?.code === 'invalid_key' ? NAME_RULE : issue?.message;
  throw new Error(`MCP_SERVERS_FILE ${path} is not usable: ${issue?.path.join('.')}: ${told}`);
}
