import { unstorableField } from '../../../platform/http/storable.ts';
import { linesOf, type ZipPart } from '../../../platform/zip/zip-file.ts';

/** Null for what is no JSON, and for what the database can't store. */
export function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return unstorableField(value) === null ? value : null;
  } catch {
    return null;
  }
}

/** A whole part as JSON; null when it is too large or not valid. */
export async function readJson(part: ZipPart, maxBytes: number): Promise<unknown> {
  if (part.size > maxBytes) return null;
  let text = '';
  for await (const line of linesOf(part, maxBytes)) text += `${line ?? ''}\n`;
  return parse(text);
}
