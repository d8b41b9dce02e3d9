/** What stands around an address in a sentence and is no part of it. */
const OPENING = /^["'“”‘’«»([{<*_]+/u;
const CLOSING = new Set(`"'“”‘’«»)]}>*_.,;:!?…`);
const CLOSING_MAX = 5;
const BARE = /^(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}(?::\d{1,5})?(?:[/?#].*)?$/u;

interface Named {
  url: URL;
  /** False where the person left out `https://`. */
  hasScheme: boolean;
}

const hostOf = ({ host }: URL) => host.replace(/^www\./, '');

/** A word as it stands, and without one after the other of the marks at its end. */
function readingsOf(word: string): string[] {
  const readings = [word.replace(OPENING, '')];
  for (let last = readings[0] ?? ''; readings.length <= CLOSING_MAX && CLOSING.has(last.at(-1) ?? ''); ) {
    last = last.slice(0, -1);
    readings.push(last);
  }
  return readings;
}

/** The addresses that stand in a message, each as written and without the punctuation that may follow it. */
function addressesIn(message: string): Named[] {
  return message.split(/[\s<>"`]+/u).flatMap((word) => {
    return readingsOf(word).flatMap((text) => {
      const hasScheme = /^https?:\/\//i.test(text);
      if (!hasScheme && !BARE.test(text)) return [];
      const url = URL.parse(hasScheme ? text : `https://${text}`);
      return url === null || url.username !== '' || url.password !== '' ? [] : [{ url, hasScheme }];
    });
  });
}

/** The part of an address that is sent. */
const sentPart = ({ pathname, search }: URL) => pathname + search;

/**
 * Whether a person's message names an address: `exact` where all that is sent stands there, `host` where only its host does, by the
 * same name and port, `www.` aside. An address never counts as named by what stands in the path, the query or the name of another.
 */
export function namedBy(message: string, address: URL): 'exact' | 'host' | null {
  const sameHost = addressesIn(message).filter(
    ({ url, hasScheme }) =>
      hostOf(url) === hostOf(address) &&
      (url.protocol === address.protocol || (address.protocol === 'https:' ? url.port === '' : !hasScheme)),
  );
  if (sameHost.some(({ url }) => sentPart(url) === sentPart(address))) return 'exact';
  return sameHost.length > 0 ? 'host' : null;
}
