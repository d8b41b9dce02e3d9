import { z } from 'zod';

/** A uuid (version 7 where we make it), as it stands in addresses. */
export const uuid = z.uuid();

/** Lists page by an opaque cursor; `limit` is 50 unless told, at most 200. */
export const pageQuery = z.object({
  cursor: z.string().max(500).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});
export type PageQuery = z.infer<typeof pageQuery>;

/** An ISO 8601 instant. */
export const instant = z.iso.datetime();

/**
 * The address of a new agent: its name in lowercase, runs of whitespace as one hyphen.
 * The name is taken as trimmed already; letters of any script and punctuation stay.
 */
export function agentSlug(name: string): string {
  return name.trim().toLowerCase().replace(/\s+/gu, '-');
}
