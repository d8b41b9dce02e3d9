import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { isRecord, parsedJson } from '../parsed-json.ts';
import { storableJson, storableText } from '../storable-json.ts';
import type { McpLink, McpMedia, McpResult } from './mcp-connection.ts';
import { plainReason } from './plain-reason.ts';
import { isShallow } from './read-tools.ts';

const TEXT_MAX = 200_000;
const PARTS_MAX = 2_000;
const FILE_MAX = 4 * 1024 * 1024;
const FILES_MAX = 10;
const LINKS_MAX = 200;
const LINK_MAX = 2_000;
const NAME_MAX = 200;
/** A type as in a header, so that it can become one. */
const TYPE = /^[a-z]+\/[a-z0-9.+-]{1,60}$/i;
const UNKNOWN_TYPE = 'application/octet-stream';
const UNKNOWN = '[part of an unknown kind]';
const TOO_DEEP = '[data that is nested too deeply]';

/** An answer as far as it must have a shape; each part is read by itself, so that an odd one takes none of the others along. */
export const toolResult = z.looseObject({ content: z.array(z.unknown()).nullish() });

/** A server's answer, part by part: nothing is left out without a note. */
export function readResult(result: z.infer<typeof toolResult>): McpResult {
  const media: McpMedia[] = [];
  const links: McpLink[] = [];
  // Before answers had parts, this was all of one.
  const { toolResult: old } = result;
  const data = result.structuredContent ?? (typeof old === 'string' ? null : old) ?? null;
  const nothing = data === null && result.isError !== true ? [null] : [];
  const parts = result.content ?? (typeof old === 'string' ? [old] : nothing);
  const texts = parts.slice(0, PARTS_MAX).map((part) => readPart(part, { media, links }));
  if (parts.length > PARTS_MAX) texts.push(`[${parts.length - PARTS_MAX} more parts]`);
  const structured = isShallow(data) ? storableJson(data) : TOO_DEEP;
  const spoken = texts.filter((text) => text !== '');
  const isSaid = structured === null || saysSame(spoken, structured);
  const written = typeof structured === 'string' ? structured : JSON.stringify(structured);
  const text = (isSaid ? spoken : [...spoken, written]).join('\n');
  const isError = result.isError === true;
  return {
    text: (isError ? plainReason(text) : text).slice(0, TEXT_MAX),
    media,
    links,
    ...(isRecord(structured) ? { structured } : {}),
    isError,
  };
}

/** Whether a text says what the data are, or all texts one after another do: some libraries put what isn't an object into `result`. */
function saysSame(texts: string[], structured: unknown): boolean {
  const distinct = [...new Set([...texts, texts.join('\n')])];
  const values: unknown[] = [...distinct, ...distinct.map(parsedJson), texts, texts.map(parsedJson)];
  const wrapped = isRecord(structured) && Object.keys(structured).length === 1 ? [structured.result] : [];
  return [structured, ...wrapped].some((data) => values.some((value) => isDeepStrictEqual(value, data)));
}

interface Attachments {
  media: McpMedia[];
  links: McpLink[];
}

const text = z.string();
const words = z.string().catch('');
const type = z.string().catch(UNKNOWN_TYPE);
const data = z
  .string()
  // A page's way to write a file into an address.
  .transform((written) =>
    written.slice(written.startsWith('data:') ? written.indexOf(',') + 1 : 0).replaceAll(/\s/g, ''),
  )
  .refine(isBase64);
const block = z.union([
  z.object({ type: z.literal('text'), text }),
  z.object({ type: z.enum(['image', 'audio']), data, mimeType: type }),
  z.object({ type: z.literal('resource_link'), uri: text, name: words, title: words, description: words }),
  z.object({ type: z.literal('resource'), resource: z.object({ uri: words, text }) }),
  z.object({ type: z.literal('resource'), resource: z.object({ uri: words, mimeType: type, blob: data }) }),
  text.transform((only) => ({ type: 'text' as const, text: only })),
]);

/** Looks for what isn't: a pattern of all of it takes a step of the stack for each of millions of characters. */
export function isBase64(written: string): boolean {
  const padding = written.endsWith('==') ? 2 : Number(written.endsWith('='));
  return written.length > padding && !/[^\w+/-]/.test(written.slice(0, written.length - padding));
}

/** Keeps a part's file or link, and returns what the model reads of it. */
function readPart(value: unknown, { media, links }: Attachments): string {
  const part = block.safeParse(value).data;
  if (part === undefined) return UNKNOWN;
  if (part.type === 'text') return part.text;
  if ('data' in part) {
    const what = part.type === 'image' ? 'picture' : 'sound';
    return keepFile(media, what, { type: part.mimeType, data: part.data });
  }
  if (part.type === 'resource_link') {
    if (links.length >= LINKS_MAX) return `[link to ${storableText(part.uri, LINK_MAX)}: not kept, there are too many]`;
    const description = storableText(part.description, LINK_MAX);
    const name = part.name || part.title || part.uri;
    links.push({
      uri: storableText(part.uri, LINK_MAX),
      name: storableText(part.title || name, NAME_MAX),
      ...(description === '' ? {} : { description }),
    });
    return `[link to “${storableText(name, NAME_MAX)}”: ${storableText(part.uri, LINK_MAX)}]${description && ` ${description}`}`;
  }
  const { resource } = part;
  if ('text' in resource) return `[resource ${storableText(resource.uri, LINK_MAX)}]\n${resource.text}`;
  return keepFile(media, 'file', {
    type: resource.mimeType,
    data: resource.blob,
    name: storableText(resource.uri, NAME_MAX),
  });
}

function keepFile(media: McpMedia[], what: string, file: { type: string; data: string; name?: string }): string {
  const [first = ''] = file.type.split(';');
  const type = TYPE.test(first.trim()) ? first.trim().toLowerCase() : UNKNOWN_TYPE;
  const size = Math.floor((file.data.length * 3) / 4);
  if (size > FILE_MAX || media.length >= FILES_MAX)
    return `[${what}, ${type}, ${Math.ceil(size / 1024)} KB: too ${size > FILE_MAX ? 'large' : 'many'} to be shown]`;
  const bytes = Buffer.from(file.data, 'base64');
  media.push({ type, bytes, ...(file.name === undefined ? {} : { name: file.name }) });
  return `[${what} ${media.length}, ${type}, ${Math.ceil(bytes.length / 1024)} KB: shown to the person]`;
}
