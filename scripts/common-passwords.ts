// Builds the list of common passwords that new ones are compared with, from the one that zxcvbn-ts keeps in order of use (MIT licence):
//   npm pack @zxcvbn-ts/language-common@4.1.3, unpack it, then
//   node scripts/common-passwords.ts FOLDER/package/src/passwords.json
import { readFileSync, writeFileSync } from 'node:fs';
import { DEFAULT_PASSWORD_MIN } from '../contract/src/accounts.ts';

const OUT = new URL('../server/src/platform/passwords/common-passwords.txt', import.meta.url);
/** So many of those that may be chosen, as OWASP ASVS 6.2.4 asks for; and of longer ones, for servers whose passwords are longer. */
const MOST = 3_000;
const LONGER = { length: 8, most: 2_500 };

const [source] = process.argv.slice(2);
if (source === undefined) throw new Error('The path of passwords.json is needed.');
const ranked: string[] = JSON.parse(readFileSync(source, 'utf8'));
const ofLength = (length: number, most: number) => ranked.filter((word) => word.length >= length).slice(0, most);
const words = new Set([...ofLength(DEFAULT_PASSWORD_MIN, MOST), ...ofLength(LONGER.length, LONGER.most)]);
writeFileSync(OUT, `${[...words].toSorted().join('\n')}\n`);
