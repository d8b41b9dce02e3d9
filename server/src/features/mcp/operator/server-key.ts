import { createHash } from 'node:crypto';

/** What a tool's id can hold, and no key of a person's own server. */
const USABLE_KEY = /^(?!s[0-9a-f]{8}$)[a-zA-Z0-9-]{1,14}$/;
const HASH_LENGTH = 4;

/** A name as it can begin a tool's id; names that can't are shortened, with a piece of their hash to keep them apart. */
export function keyOf(name: string): string {
  if (USABLE_KEY.test(name)) return name;
  const plain = name.normalize('NFKD').replaceAll(/[^a-zA-Z0-9]+/gu, '-');
  const hash = createHash('sha256').update(name).digest('hex').slice(0, HASH_LENGTH);
  const begin = plain.slice(0, 14 - HASH_LENGTH - 1).replaceAll(/^-|-$/gu, '');
  return `${begin === '' ? 'server' : begin}-${hash}`;
}
