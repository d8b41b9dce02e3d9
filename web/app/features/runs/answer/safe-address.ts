import { ADDRESS_EDGE } from '@atelier/contract/names/addresses';

const LINKS = new Set(['http:', 'https:', 'mailto:']);

/** A model's address if it is safe to link: absolute, and http, https or mailto; otherwise null. */
export function linkAddress(href: string | undefined): string | null {
  if (!href || !URL.canParse(href)) return null;
  const url = new URL(href);
  return LINKS.has(url.protocol) ? url.href : null;
}

/** Whether a person's text contains exactly this address, not only its beginning or its host. */
export function isWritten(address: string, words: string): boolean {
  return words
    .split(/[\s<>"'()[\]]+/u)
    .flatMap((word) => [word, ...word.split(ADDRESS_EDGE)])
    .some((word) => [word, word.replace(/[.,;:!?]$/u, '')].some((w) => linkAddress(w) === address));
}

/** A picture of a session: attached by a person, or made by a tool. */
const PICTURES = /^\/api\/sessions\/[\w-]+\/(?:attachments|tasks\/[\w-]+\/media)\/[\w-]+$/u;

/**
 * The address of an image if it is one of our pictures, otherwise null: a remote image would tell its host who reads what, and any other
 * address of ours would be asked in each reader's name.
 */
export function imageAddress(src: string | undefined, origin: string): string | null {
  if (!src || !URL.canParse(src, origin)) return null;
  const url = new URL(src, origin);
  const isOwn = url.origin === origin && url.protocol.startsWith('http');
  return isOwn && PICTURES.test(url.pathname) && url.search === '' ? url.href : null;
}
