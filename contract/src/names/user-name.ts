import { z } from 'zod';
import { PRODUCT_NAME } from '../product.ts';
import { visibleText } from './names.ts';

/** In code points. */
export const USER_NAME_MAX = 100;

/** What looks like a letter of the product's name in lower case, once Unicode's own variants are folded; `l` and `i` look like each other. */
const LOOK_ALIKES = new Map(
  Object.entries({
    a: 'αаɑ⍺ᴀꭺꓮ𐊠ⲁⱥ',
    t: 'τтᴛꭲꓔ𐊗𐊱ⲧŧⱦƭʈ',
    e: 'εеҽҿєɛᴇ℮ꭼꓰⲉⴹ⋿ɇ',
    l: 'iı1|ιіӏɩɪʟǀꓲꓡꭵꮮⲓⵏᛁوןוاߊłƚɫⱡɨ',
    r: 'гᴦʀꭇꭈꭱꮢꮁꓣⲅяɼɾɽɍ',
  }).flatMap(([letter, signs]) => Array.from(signs, (sign) => [sign, letter])),
);

/** Letters in circles, squares and flags, which Unicode doesn't fold: each of these begins an alphabet. */
const FRAMED = [0x1f150, 0x1f170, 0x1f1e6];
const framed = (sign: string) => {
  const at = FRAMED.map((first) => (sign.codePointAt(0) ?? 0) - first).find((n) => n >= 0 && n < 26);
  return at === undefined ? sign : String.fromCodePoint(0x61 + at);
};

/** How a name looks at a glance: without case, accents, blanks and signs. */
const glance = (name: string) =>
  Array.from(name.replaceAll(/[™℠]/gu, '').normalize('NFKD').toLowerCase().normalize('NFKD'), framed)
    .map((sign) => LOOK_ALIKES.get(sign) ?? sign)
    .join('')
    .replaceAll(/[^\p{L}\p{N}]/gu, '');

/** Whether a name looks like the product's, so that an author could pass for the people who run it. */
export const isReserved = (name: string): boolean => glance(name) === glance(PRODUCT_NAME);

/** What others see of a person: 1 to 100 characters of any script, and not the product's name. */
export const userName = visibleText(z.string('The username is missing.'), 'The username', 'The username is missing.')
  .refine(
    (name) => Array.from(name).length <= USER_NAME_MAX,
    `The username can have at most ${USER_NAME_MAX} characters.`,
  )
  .refine((name) => !isReserved(name), `“${PRODUCT_NAME}” is reserved. Choose another username.`);
