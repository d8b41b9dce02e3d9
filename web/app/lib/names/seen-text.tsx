import { countUnseen, splitUnseen } from '@atelier/contract/names/unseen';
import { formatNumber } from '../../ui/formats.ts';

/** A text as it is stored: characters that nobody would see appear as marks with their numbers. */
export function SeenText({ text }: { text: string }) {
  let at = 0;
  return splitUnseen(text).map((piece) => {
    at += piece.text.length;
    return piece.unseen ? <UnseenMark key={at} text={piece.text} /> : piece.text;
  });
}

/** A name beside other text: its direction and what it hides change nothing around it. */
export const SeenName = ({ name }: { name: string }) => (
  <bdi>
    <SeenText text={name} />
  </bdi>
);

const UnseenMark = ({ text }: { text: string }) => (
  <bdi className="mx-0.5 whitespace-normal rounded border border-edge bg-raised px-1 font-mono text-warning text-xs [overflow-wrap:anywhere]">
    <span className="sr-only">Invisible characters: </span>
    {numbersOf(text)}
  </bdi>
);

/** The range in which each tag character stands for a letter of ASCII, and hides it. */
const isTag = (point: number) => point >= 0xe0020 && point <= 0xe007e;

/** What a run of invisible characters is: numbers, how often in a row, and the letters of tag characters. */
export function numbersOf(text: string): string {
  const named: { name: string; times: number; isTags: boolean }[] = [];
  for (const sign of text) {
    const point = sign.codePointAt(0) ?? 0;
    const isTags = isTag(point);
    const name = isTags ? String.fromCodePoint(point - 0xe0000) : numberOf(point);
    const last = named.at(-1);
    if (isTags && last?.isTags) last.name += name;
    else if (last?.name === name && !isTags) last.times += 1;
    else named.push({ name, times: 1, isTags });
  }
  return named
    .map(({ name, times, isTags }) => (isTags ? `tags “${name}”` : times === 1 ? name : `${name} ×${times}`))
    .join(' ');
}

const numberOf = (point: number) => `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;

/** A field's hint, and how many characters of what was typed nobody sees. */
export function hintWithUnseen(hint: string, typed: string): string {
  const count = countUnseen(typed);
  if (count === 0) return hint;
  return `${hint} It has ${count === 1 ? 'an invisible character' : `${formatNumber(count)} invisible characters`}.`;
}
