import { cleanName } from '@atelier/contract/names/names';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { z } from 'zod';
import { storableText } from '../storable-json.ts';
import { askServer } from './ask-server.ts';
import {
  type McpContents,
  type McpFile,
  type McpPrompt,
  McpRefused,
  type McpResource,
  type McpTemplate,
  type McpText,
} from './mcp-connection.ts';
import { isBase64 } from './read-result.ts';

const LIST_MS = 10_000;
const READ_MS = 30_000;
const PAGES_MAX = 20;
const LISTED_MAX = 500;
const ADDRESS_MAX = 2_000;
const NAME_MAX = 200;
const DESCRIPTION_MAX = 1_000;
const ARGUMENTS_MAX = 20;
const TEXT_MAX = 20_000;
const OMISSIONS_MAX = 20;
/** Of a resource's files together, in bytes: the largest that can be attached. */
const FILES_MAX = 10 * 1024 * 1024;
/** What the name of a file of this type ends with; others keep the name that their address has. */
const ENDINGS = new Map([
  ['image/png', 'png'],
  ['image/jpeg', 'jpg'],
  ['image/webp', 'webp'],
  ['image/gif', 'gif'],
  ['application/pdf', 'pdf'],
  ['application/json', 'json'],
  ['text/csv', 'csv'],
  ['text/html', 'html'],
  ['text/markdown', 'md'],
  ['text/plain', 'txt'],
]);

const words = (max: number) =>
  z
    .string()
    .catch('')
    .transform((text) => storableText(text, max));
const described = { title: words(NAME_MAX), description: words(DESCRIPTION_MAX) };
const address = z.string().min(1).max(ADDRESS_MAX);
const shortName = z.string().min(1).max(NAME_MAX);

/** What people read of something with an address. */
const shown = (
  address: string,
  { title, name, description }: { title: string; name: string; description: string },
) => ({
  name: cleanName(title) || cleanName(name) || storableText(address, NAME_MAX),
  description,
});

const resource = z.object({ uri: address, name: words(NAME_MAX), ...described, mimeType: words(100) }).transform(
  ({ uri, mimeType, ...rest }): McpResource => ({
    uri: storableText(uri, ADDRESS_MAX),
    ...shown(uri, rest),
    type: mimeType,
  }),
);
const template = z.object({ uriTemplate: address, name: words(NAME_MAX), ...described }).transform(
  ({ uriTemplate, ...rest }): McpTemplate => ({
    template: storableText(uriTemplate, ADDRESS_MAX),
    ...shown(uriTemplate, rest),
  }),
);
const argument = z.object({ name: shortName, description: words(DESCRIPTION_MAX), required: z.boolean().catch(false) });
const prompt = z
  .object({ name: shortName, ...described, arguments: z.array(argument).max(ARGUMENTS_MAX).catch([]) })
  .transform(({ name, title, ...rest }): McpPrompt => ({ name, title: cleanName(title) || name, ...rest }));

const contents = z.looseObject({
  uri: z.string().catch(''),
  mimeType: z.string().optional(),
  text: z.string().optional(),
  blob: z.string().optional(),
});
const part = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  mimeType: z.string().optional(),
  name: z.string().optional(),
  uri: z.string().optional(),
  resource: contents.optional(),
});

interface BoundedList<T> {
  items: T[];
  more: boolean;
}

/** A server's resources and prompts, each list bounded; a server without them has none. */
export function readContents(client: Client): McpContents {
  const offers = () => client.getServerCapabilities() ?? {};
  return {
    resources: async (signal) => {
      if (offers().resources === undefined) return { resources: [], templates: [], more: false };
      const listed = await list(client, { method: 'resources/list', field: 'resources', one: resource }, signal);
      // Some servers with resources know no templates.
      const templates = await list(
        client,
        { method: 'resources/templates/list', field: 'resourceTemplates', one: template },
        signal,
      ).catch((error: unknown): BoundedList<McpTemplate> => {
        if (error instanceof McpRefused) return { items: [], more: false };
        throw error;
      });
      return { resources: listed.items, templates: templates.items, more: listed.more || templates.more };
    },
    prompts: async (signal) => {
      if (offers().prompts === undefined) return { prompts: [], more: false };
      const { items, more } = await list(client, { method: 'prompts/list', field: 'prompts', one: prompt }, signal);
      return { prompts: items, more };
    },
    readResource: async (uri, signal) => {
      const answer = z.looseObject({ contents: z.array(z.unknown()) });
      const request = { method: 'resources/read', params: { uri } };
      const result = await askServer(client, request, answer, READ_MS, { signal });
      return textOf(result.contents.map((one) => ofContents(contents.safeParse(one).data)));
    },
    getPrompt: async (name, values, signal) => {
      const answer = z.looseObject({ messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })) });
      const request = { method: 'prompts/get', params: { name, arguments: values } };
      const result = await askServer(client, request, answer, READ_MS, { signal });
      const isTalk = result.messages.some(({ role }) => role !== 'user');
      return textOf(
        result.messages.flatMap(({ role, content }) => {
          const parts = (Array.isArray(content) ? content : [content]).map((one) => ofPart(part.safeParse(one).data));
          // Who says what matters only where both speak.
          return isTalk ? [{ text: role === 'user' ? 'User:' : 'Assistant:' }, ...parts] : parts;
        }),
      );
    },
  };
}

async function list<T>(
  client: Client,
  { method, field, one }: { method: string; field: string; one: z.ZodType<T> },
  signal?: AbortSignal,
): Promise<BoundedList<T>> {
  const page = z.looseObject({ [field]: z.array(z.unknown()), nextCursor: z.string().nullish() });
  const items: T[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < PAGES_MAX; pages += 1) {
    const request = { method, params: cursor === undefined ? {} : { cursor } };
    const result = await askServer(client, request, page, LIST_MS, { signal });
    const entries = result[field];
    for (const entry of Array.isArray(entries) ? entries : []) {
      const parsed = one.safeParse(entry);
      if (parsed.success) items.push(parsed.data);
      if (items.length > LISTED_MAX) return { items: items.slice(0, LISTED_MAX), more: true };
    }
    const next = typeof result.nextCursor === 'string' ? result.nextCursor : undefined;
    if (next === undefined || next === cursor) return { items, more: false };
    cursor = next;
  }
  return { items, more: true };
}

type ContentPart = { text: string } | { omission: string } | { file: McpFile };

function ofContents(read: z.infer<typeof contents> | undefined): ContentPart {
  if (read?.text !== undefined) return { text: read.text };
  const type = storableText(read?.mimeType ?? 'a file', 100);
  const base64 = (read?.blob ?? '').replaceAll(/\s/g, '').replaceAll('-', '+').replaceAll('_', '/');
  const bytes = (base64.length * 3) / 4;
  if (isBase64(base64) && bytes <= FILES_MAX) return { file: { name: nameOf(read?.uri ?? '', type), type, base64 } };
  return { omission: `${type}, ${Math.ceil(bytes / 1024)} KB: no text` };
}

/** The last part of an address, with an ending that fits the type. */
function nameOf(uri: string, type: string): string {
  const last =
    uri
      .split(/[?#]/u)[0]
      ?.split('/')
      .findLast((part) => part !== '') ?? '';
  const name = cleanName(storableText(last, NAME_MAX).replaceAll('\\', '')) || 'file';
  const ending = ENDINGS.get(type.split(';')[0]?.trim().toLowerCase() ?? '');
  return ending === undefined || /\.[a-z0-9]{1,5}$/iu.test(name) ? name : `${name}.${ending}`;
}

function ofPart(read: z.infer<typeof part> | undefined): ContentPart {
  if (read?.type === 'text') return { text: read.text ?? '' };
  if (read?.resource !== undefined) return ofContents(read.resource);
  if (read?.type === 'resource_link')
    return { text: storableText(`${read.name ?? ''} ${read.uri ?? ''}`.trim(), ADDRESS_MAX) };
  return { omission: `${storableText(read?.mimeType ?? read?.type ?? 'something', 100)}: no text` };
}

function textOf(parts: ContentPart[]): McpText {
  const text = parts.flatMap((one) => ('text' in one ? [one.text] : [])).join('\n\n');
  const stored = storableText(text, TEXT_MAX);
  const omissions = parts.flatMap((one) => ('omission' in one ? [one.omission] : []));
  const files = parts.flatMap((one) => ('file' in one ? [one.file] : []));
  return {
    text: stored,
    cut: text.length > TEXT_MAX,
    left: omissions.slice(0, OMISSIONS_MAX),
    ...(files.length === 0 ? {} : { files: files.slice(0, OMISSIONS_MAX) }),
  };
}
