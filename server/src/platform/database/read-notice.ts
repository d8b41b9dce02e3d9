import type { z } from 'zod';
import { parsedJson } from '../parsed-json.ts';

/** Parses a notice; null if invalid. Anyone who may connect, or a newer version, can notify: an error would end the process. */
export function readNotice<T>(schema: z.ZodType<T>, payload: string): T | null {
  return schema.safeParse(parsedJson(payload)).data ?? null;
}
