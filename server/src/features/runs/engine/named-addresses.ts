import { ADDRESS_EDGE } from '@atelier/contract/names/addresses';

/** Marks around an address in a sentence that are not part of it. */
const OPENING = /^["'“”‘’«»([{<*_]+/u;
const CLOSING = new Set(`"'“”‘’«»)]}>*_.,;:!?…`);
const CLOSING_MAX = 5;
const BARE = /^(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}(?::\d{1,5})?(?:[/?#].*)?$/u;

interface WrittenAddress {
  url: URL;
  /** False when the person left out `https://`. */
  hasScheme: boolean;
}

/** A link, wherever it begins: a page may write it into a sentence, a field or a call. */
const LINK = /https?:\/\/[^\s<>"`\\]+/giu;

/** The host of an address with its port, `www.` aside. */
export const siteOf = ({ host }: URL): string => host.replace(/^www\./, '');

/** An address as it is sent. */
export function sentAs(address: URL): string {
  const sent = new URL(address);
  sent.hash = '';
  return sent.href;
}

/** A word as written, and with one mark after another removed from its end. */
function readingsOf(word: string): string[] {
  const readings = [word.replace(OPENING, '')];
  for (let last = readings[0] ?? ''; readings.length <= CLOSING_MAX && CLOSING.has(last.at(-1) ?? ''); ) {
    last = last.slice(0, -1);
    readings.push(last);
  }
  return readings;
}

/** The addresses in a message, each as written and without the punctuation that may follow it. */
function addressesIn(message: string): WrittenAddress[] {
  const words = message.split(/[\s<>"`]+/u).flatMap((word) => [word, ...word.split(ADDRESS_EDGE)]);
  return [...new Set(words)].flatMap((word) => {
    return readingsOf(word).flatMap((text) => {
      const hasScheme = /^https?:\/\//i.test(text);
      if (!hasScheme && !BARE.test(text)) return [];
      const url = URL.parse(hasScheme ? text : `https://${text}`);
      return url === null || url.username !== '' || url.password !== '' ? [] : [{ url, hasScheme }];
    });
  });
}

/** The complete addresses in what a page answered, as JSON or text, each as written and without the punctuation that may follow it. */
export const linksIn = (answer: string): string[] =>
  (answer.match(LINK) ?? []).flatMap((link) =>
    [link, ...link.split(ADDRESS_EDGE, 1)].flatMap(readingsOf).flatMap((text) => {
      const url = URL.parse(text);
      return url === null ? [] : sentAs(url);
    }),
  );

/** The part of an address that would carry data. */
const sentPart = ({ pathname, search }: URL) => pathname + search;

/**
 * Whether a message names an address: `exact` when it contains everything that would be sent, `host` when only the host matches, by name
 * and port, `www.` aside. The path, query or name of another address never counts.
 */
export function namedBy(message: string, address: URL): 'exact' | 'host' | null {
  const sameHost = addressesIn(message).filter(
    ({ url, hasScheme }) =>
      siteOf(url) === siteOf(address) &&
      (url.protocol === address.protocol || (address.protocol === 'https:' ? url.port === '' : !hasScheme)),
  );
  if (sameHost.some(({ url }) => sentPart(url) === sentPart(address))) return 'exact';
  return sameHost.length > 0 ? 'host' : null;
}
