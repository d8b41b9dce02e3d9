const LINKS = new Set(['http:', 'https:', 'mailto:']);

/** The address if a person may be sent there by a model's words, else null: absolute, and http, https or mailto. */
export function linkAddress(href: string | undefined): string | null {
  if (!href || !URL.canParse(href)) return null;
  const url = new URL(href);
  return LINKS.has(url.protocol) ? url.href : null;
}

/** Whether a person's words hold an address as it stands, not only its beginning or its host. */
export function isWritten(address: string, words: string): boolean {
  return words
    .split(/[\s<>"'()[\]]+/u)
    .some((word) => [word, word.replace(/[.,;:!?]$/u, '')].some((w) => linkAddress(w) === address));
}

/** The address of an image if it is our own, else null: a remote image would tell its host who reads what. */
export function imageAddress(src: string | undefined, origin: string): string | null {
  if (!src || !URL.canParse(src, origin)) return null;
  const url = new URL(src, origin);
  return url.origin === origin && url.protocol.startsWith('http') ? url.href : null;
}
