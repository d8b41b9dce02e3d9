import { z } from 'zod';
import type { Deps } from '../../platform/deps.ts';
import { openText, sealText } from '../../platform/sealed-text.ts';
import { secretsOf } from '../../platform/secrets.ts';
import type { McpServerRow } from './mcp.table.ts';

const stored = z.object({
  headers: z.record(z.string(), z.string()).default({}),
  /** A sign-in as the platform keeps it. */
  signIn: z.string().optional(),
  /** A sign-in that the person has not come back from. */
  pending: z.object({ state: z.string(), kept: z.string(), until: z.number() }).optional(),
});
/** What only a server may learn. */
export type ServerSecrets = z.infer<typeof stored>;

type Place = Pick<McpServerRow, 'userId' | 'id'>;
type Context = Pick<Deps, 'config'>;

const placeOf = ({ userId, id }: Place) => `mcp_servers/${userId}/${id}`;

/** Encrypts a server's secrets for its row. */
export const sealSecrets = (ctx: Context, place: Place, secrets: ServerSecrets): string =>
  sealText(secretsOf(ctx.config), placeOf(place), JSON.stringify(secrets));

/** A row's secrets; none when they were encrypted with a secret that the installation no longer has. */
export function openSecrets(ctx: Context, row: Place & Pick<McpServerRow, 'secrets'>): ServerSecrets {
  const text = row.secrets === null ? null : openText(secretsOf(ctx.config), placeOf(row), row.secrets);
  return text === null ? { headers: {} } : stored.parse(JSON.parse(text));
}
