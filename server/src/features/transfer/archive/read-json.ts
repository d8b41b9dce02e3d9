import { unstorableField } from '../../../platform/http/storable.ts';
import { parsedJson } from '../../../platform/parsed-json.ts';
import { linesOf, type ZipPart } from '../../../platform/zip/zip-file.ts';

/** Null for what is no JSON, and for what the database can't store. */
export function parse(text: string): unknown {
  const value = parsedJson(text) ?? null;
  return unstorableField(value) === null ? value : null;
}

/** A whole part as JSON; null when it is too large or not valid. */
export async function readJson(part: ZipPart, maxBytes: number): Promise<unknown> {
  if (part.size > maxBytes) return null;
  let text = '';
  for await (const line of linesOf(part, maxBytes)) text += `${line ?? ''}\n`;
  return parse(text);
}
