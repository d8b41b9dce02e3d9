import { remove as asLatin } from 'confusables';

/** Letters of which no table knows what they look like. With three, “Ателиер” would be “Atelier”. */
const STAND_INS = 2;
const IS_INK = /[\p{L}\p{N}]/u;
/** Nobody takes these for a letter that is missing: another Latin letter, what stands between words, a picture. */
const IS_NO_STAND_IN = /[a-z\s.,'’·\p{Pd}\p{Pc}\p{Extended_Pictographic}]/iu;

/** The signs of a text without marks, and what each looks like: a Latin letter if it can. `l`, `i` and `1` look like each other. */
const readSigns = (text: string) =>
  Array.from(text.replaceAll(/[™℠]/gu, '').normalize('NFKD').replaceAll(/\p{M}/gu, ''), (sign) => {
    const looks = asLatin(asLatin(sign).toUpperCase()).toLowerCase();
    return {
      looks: /[i1]/u.test(looks) ? 'l' : looks,
      standIn: IS_NO_STAND_IN.test(sign) ? Infinity : 1,
      skip: IS_INK.test(sign) ? Infinity : 0,
    };
  });

/** What the letters of each phrase look like: phrases are few and always the same, and to read them took a tenth of a sign-up. */
const cache = new Map<string, string[]>();
function lettersOf(phrase: string): string[] {
  const letters = cache.get(phrase) ?? readSigns(phrase).map(({ looks }) => looks);
  cache.set(phrase, letters);
  return letters;
}

/**
 * Whether people would read a text as one of these phrases, which are remembered. Signs and blanks between letters are passed over. Because no
 * table knows every sign that looks like a letter, whatever isn't a Latin letter may stand for one, twice.
 */
export function isReadAs(text: string, phrases: string[]): boolean {
  const signs = readSigns(text);
  return phrases.some((phrase) => {
    const letters = lettersOf(phrase);
    // Each letter needs a sign of its own; most names are shorter than all phrases.
    if (signs.length < letters.length) return false;
    // For each n: how few letters have a stand-in when the signs so far are the first n letters.
    let counts = [0, ...letters.map(() => Infinity)];
    for (const { looks, standIn, skip } of signs) {
      counts = counts.map((count, n) => {
        const before = counts[n - 1] ?? Infinity;
        return Math.min(count + skip, before + (looks === letters[n - 1] ? 0 : standIn));
      });
    }
    return (counts.at(-1) ?? 0) <= STAND_INS;
  });
}
