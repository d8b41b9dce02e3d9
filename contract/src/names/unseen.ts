/**
 * Signs without ink: control and format characters, what Unicode says to draw as nothing, and signs whose glyph is blank or missing. Format characters
 * that are drawn, around Arabic and other digits, are none. The three flags of emoji tags are matched whole, to be kept.
 */
const UNSEEN =
  /\u{1F3F4}(?:\u{E0067}\u{E0062}(?:\u{E0065}\u{E006E}\u{E0067}|\u{E0073}\u{E0063}\u{E0074}|\u{E0077}\u{E006C}\u{E0073}))\u{E007F}|(?![\t\n\r\u{600}-\u{605}\u{6DD}\u{70F}\u{890}\u{891}\u{8E2}\u{110BD}\u{110CD}])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\uFFFC\u{13441}\u{13442}\u{16FE4}\u{1D159}]/gu;

/** Letters and marks of scripts in which a joiner changes how its neighbours are drawn. */
const JOINED =
  /(?=[\p{L}\p{M}])[\p{scx=Adlm}\p{scx=Arab}\p{scx=Bali}\p{scx=Beng}\p{scx=Cakm}\p{scx=Deva}\p{scx=Gujr}\p{scx=Guru}\p{scx=Java}\p{scx=Khmr}\p{scx=Knda}\p{scx=Mand}\p{scx=Mani}\p{scx=Mlym}\p{scx=Mong}\p{scx=Mymr}\p{scx=Nkoo}\p{scx=Orya}\p{scx=Phag}\p{scx=Rohg}\p{scx=Sinh}\p{scx=Sund}\p{scx=Syrc}\p{scx=Taml}\p{scx=Telu}\p{scx=Tibt}]/u;
/** A joiner behind one of these chooses the form of the letter before it, also at the end of a word. */
const VIRAMA = /[\u094D\u09CD\u0A4D\u0ACD\u0B4D\u0BCD\u0C4D\u0CCD\u0D4D\u0DCA]/u;
const PICTURE = /\p{Extended_Pictographic}/u;
const PICTURE_END = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F]/u;

/** The few places where a sign without ink is part of how its neighbours are written. */
const NEEDED: [sign: RegExp, isNeeded: (before: string, after: string) => boolean][] = [
  [/[\u200C\u200D]/u, (before, after) => VIRAMA.test(before) || (JOINED.test(before) && JOINED.test(after))],
  [/\u200D/u, (before, after) => PICTURE_END.test(before) && PICTURE.test(after)],
  // How an emoji is drawn; a digit has it as part of a keycap only.
  [/[\uFE0E\uFE0F]/u, (before, after) => (/[0-9#*]/u.test(before) ? after === '\u20E3' : /\p{Emoji}/u.test(before))],
  // The variant of an ideograph, as in Japanese names.
  [/[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]/u, (before) => /\p{Unified_Ideograph}/u.test(before)],
  [/\uFE00/u, (before) => /(?=\p{L})[\p{scx=Mymr}\p{scx=Phag}]/u.test(before)],
  [/[\u180B-\u180D\u180F]/u, (before) => /(?=\p{L})\p{scx=Mong}/u.test(before)],
  [/\u180E/u, (before, after) => [before, after].every((sign) => /(?=[\p{L}\p{M}])\p{scx=Mong}/u.test(sign))],
  [/\u2800/u, (before, after) => [before, after].every((sign) => /[\u2801-\u28FF]/u.test(sign))],
];

export interface Piece {
  text: string;
  /** Nobody sees it, and it changes nothing that is seen, except perhaps the order. */
  unseen: boolean;
}

/** A text in pieces: what is seen, and runs of what isn't. Together they are the text. */
export function splitUnseen(text: string): Piece[] {
  const pieces: Piece[] = [];
  const add = (part: string, unseen: boolean) => {
    const last = pieces.at(-1);
    if (part === '') return;
    if (last?.unseen === unseen) last.text += part;
    else pieces.push({ text: part, unseen });
  };
  let at = 0;
  let seen = '';
  for (const { 0: sign, index } of text.matchAll(UNSEEN)) {
    const between = text.slice(at, index);
    add(between, false);
    seen = lastSign(between) || seen;
    at = index + sign.length;
    const after = String.fromCodePoint(text.codePointAt(at) ?? 0x20);
    const isKept = sign.startsWith('\u{1F3F4}') || NEEDED.some(([one, is]) => one.test(sign) && is(seen, after));
    add(sign, !isKept);
    if (isKept) seen = lastSign(sign);
  }
  add(text.slice(at), false);
  return pieces;
}

const lastSign = (text: string) => Array.from(text.slice(-2)).at(-1) ?? '';

/** How many signs of a text nobody sees. */
export const countUnseen = (text: string): number =>
  splitUnseen(text).reduce((sum, piece) => sum + (piece.unseen ? Array.from(piece.text).length : 0), 0);

/** The text without what nobody sees. */
export const withoutUnseen = (text: string): string =>
  splitUnseen(text)
    .map((piece) => (piece.unseen ? '' : piece.text))
    .join('');
