import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/sdk/types.js';
import { storableJson } from '../storable-json.ts';
import type { McpLink, McpMedia, McpResult } from './mcp-connection.ts';

const TEXT_MAX = 200_000;
const FILE_MAX = 4 * 1024 * 1024;
const FILES_MAX = 10;
const LINKS_MAX = 200;
const LINK_MAX = 2_000;
const NAME_MAX = 200;
/** A type as in a header, so that it can become one. */
const TYPE = /^[a-z]+\/[a-z0-9.+-]{1,60}$/i;
const UNKNOWN_TYPE = 'application/octet-stream';

/** A server's answer, part by part: nothing is left out without a note. */
export function readResult(result: CallToolResult): McpResult {
  const media: McpMedia[] = [];
  const links: McpLink[] = [];
  const texts = result.content.map((part) => readPart(part, { media, links }));
  const structured = storableJson(result.structuredContent);
  const isRecord = typeof structured === 'object' && structured !== null && !Array.isArray(structured);
  const said = texts.filter((text) => text !== '').join('\n');
  const text = said !== '' ? said : isRecord ? JSON.stringify(structured) : '';
  return {
    text: text.slice(0, TEXT_MAX),
    media,
    links,
    ...(isRecord ? { structured: { ...structured } } : {}),
    isError: result.isError === true,
  };
}

interface Found {
  media: McpMedia[];
  links: McpLink[];
}

/** Keeps a part's file or link, and returns what the model reads of it. */
function readPart(part: ContentBlock, { media, links }: Found): string {
  if (part.type === 'text') return part.text;
  if (part.type === 'image' || part.type === 'audio') {
    const what = part.type === 'image' ? 'picture' : 'sound';
    return keepFile(media, what, { type: part.mimeType, data: part.data });
  }
  if (part.type === 'resource_link') {
    if (links.length >= LINKS_MAX) return `[link to ${plain(part.uri, LINK_MAX)}: not kept, there are too many]`;
    const description = plain(part.description ?? '', LINK_MAX);
    links.push({
      uri: plain(part.uri, LINK_MAX),
      name: plain(part.title ?? part.name, NAME_MAX),
      ...(description === '' ? {} : { description }),
    });
    return `[link to “${plain(part.name, NAME_MAX)}”: ${plain(part.uri, LINK_MAX)}]${description && ` ${description}`}`;
  }
  const { uri, mimeType = UNKNOWN_TYPE } = part.resource;
  if ('text' in part.resource) return `[resource ${plain(uri, LINK_MAX)}]\n${part.resource.text}`;
  return keepFile(media, 'file', { type: mimeType, data: part.resource.blob, name: plain(uri, NAME_MAX) });
}

function keepFile(media: McpMedia[], what: string, file: { type: string; data: string; name?: string }): string {
  const type = TYPE.test(file.type) ? file.type.toLowerCase() : UNKNOWN_TYPE;
  const size = Math.floor((file.data.length * 3) / 4);
  if (size > FILE_MAX || media.length >= FILES_MAX)
    return `[${what}, ${type}, ${Math.ceil(size / 1024)} KB: too ${size > FILE_MAX ? 'large' : 'many'} to be shown]`;
  const bytes = Buffer.from(file.data, 'base64');
  media.push({ type, bytes, ...(file.name === undefined ? {} : { name: file.name }) });
  return `[${what} ${media.length}, ${type}, ${Math.ceil(bytes.length / 1024)} KB: shown to the person]`;
}

const plain = (text: string, max: number) => text.slice(0, max).replaceAll('\0', '').toWellFormed();
