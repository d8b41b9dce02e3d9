import { Readable } from 'node:stream';
import type { Config } from '../../config.ts';
import { type DocumentKind, type Extracted, extractDocument } from '../../platform/extraction/extract.ts';
import { Unreadable } from '../../platform/extraction/unreadable.ts';
import { createGuardedFetch, FetchRefused } from '../../platform/fetch/guarded-fetch.ts';
import { readBlocks } from '../../platform/fetch/public-address.ts';
import { createTurns } from '../../platform/turns.ts';
import { ToolFailed } from './tools.define.ts';

const PAGE_MAX = 3 * 1024 * 1024;
const TEXT_MAX = 12_000;
const TIMEOUT_MS = 20_000;

const KINDS: [RegExp, DocumentKind][] = [
  [/^(?:text\/html|application\/xhtml\+xml)/, 'article'],
  [/^application\/pdf/, 'pdf'],
  [/^text\/markdown/, 'markdown'],
  [/^text\/(?:csv|tab-separated-values)/, 'csv'],
  [/^application\/(?:[\w.+-]*\+)?json/, 'json'],
  [/^application\/vnd\.openxmlformats-officedocument\.wordprocessingml\.document/, 'docx'],
  [/^application\/vnd\.openxmlformats-officedocument\.spreadsheetml\.sheet/, 'xlsx'],
  [/^(?:text\/|application\/(?:[\w.+-]*\+)?xml)/, 'plain'],
];

/** How many pages are read at once. */
const turns = createTurns(2);

/** The text and links of a public page; throws ToolFailed when the address is refused or has no text. */
export async function fetchPage(config: Config, uid: string, address: string, signal: AbortSignal) {
  const guarded = createGuardedFetch({ allowed: readBlocks(config.FETCH_ALLOWED) });
  const limit = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  try {
    const { response, url, leadsTo } = await guarded.follow(address, {
      signal: limit,
      headers: {
        accept: 'text/html,text/*;q=0.9,application/json;q=0.8,*/*;q=0.1',
        'user-agent': 'Atelier (+web_fetch)',
      },
    });
    if (leadsTo !== null) {
      // Another host is another destination: the person may have to approve it.
      const text = `This page leads on to ${leadsTo.href.slice(0, TEXT_MAX)}, which was not fetched. Fetch that address to read it.`;
      return { url, title: 'Redirect', text, truncated: false };
    }
    if (!response.ok) throw new ToolFailed(`The page answered with ${response.status}.`);
    const type = response.headers.get('content-type')?.toLowerCase() ?? '';
    const kind = KINDS.find(([pattern]) => pattern.test(type))?.[1];
    if (kind === undefined) throw new ToolFailed(`This page has no text (${type.slice(0, 80) || 'no type'}).`);
    const body = await readCapped(response.body);
    const { title, passages, only, notes, links } = await turns.take(uid, limit, () =>
      extractDocument(kind, Readable.from([body]), { size: body.length, timeoutMs: TIMEOUT_MS, signal: limit }),
    );
    const text = [...notes, ...passages.map((passage) => passage.text)].join('\n\n');
    const read = { url, title, text: text.slice(0, TEXT_MAX), truncated: only !== null || text.length > TEXT_MAX };
    return links.length === 0 ? read : { ...read, links: linksFrom(url, links) };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof FetchRefused || error instanceof Unreadable) throw new ToolFailed(error.message);
    if (error instanceof ToolFailed) throw error;
    throw new ToolFailed(
      limit.aborted ? 'The page did not answer within 20 seconds.' : 'The page could not be reached.',
    );
  } finally {
    await guarded.close();
  }
}

/** A page's links with their complete addresses, those that can be fetched. */
const linksFrom = (page: string, links: Extracted['links']) =>
  links.flatMap(({ text, href }) => {
    const to = URL.parse(href, page);
    return to !== null && /^https?:$/u.test(to.protocol) ? [{ text, url: to.href }] : [];
  });

async function readCapped(body: AsyncIterable<Uint8Array> | null): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > PAGE_MAX) throw new ToolFailed('The page is larger than 3 MB.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
