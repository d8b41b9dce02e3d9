import type { z } from 'zod';
import { parsedJson } from '../parsed-json.ts';

/**
 * Parses a database notice; null when it is invalid. Anyone who may connect can notify, and so can a newer version of this server: an error
 * here would end the process.
 */
export function readNotice<T>(schema: z.ZodType<T>, payload: string): T | null {
  return schema.safeParse(parsedJson(payload)).data ?? null;
}
