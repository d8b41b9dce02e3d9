import { z } from 'zod';

/** A UUID (version 7 when we create it), as in addresses. */
export const uuid = z.uuid();

/** Lists page by an opaque cursor; `limit` is 50 by default, at most 200. */
export const pageQuery = z.object({
  cursor: z.string().max(500).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});
export type PageQuery = z.infer<typeof pageQuery>;

/** An ISO 8601 instant. */
export const instant = z.iso.datetime();

/** A new agent's address: its trimmed name in lower case, whitespace as one hyphen; letters of any script and punctuation stay. */
export function agentSlug(name: string): string {
  return name.trim().toLowerCase().replace(/\s+/gu, '-');
}
