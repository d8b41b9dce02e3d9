import { readFileSync } from 'node:fs';

/** Made by `scripts/common-passwords.ts`. */
const LIST = new URL('./common-passwords.txt', import.meta.url);

let list: ReadonlySet<string> | undefined;

/** Whether a password is one of the some five thousand that most people use, in whatever case. */
export function isCommonPassword(password: string): boolean {
  list ??= new Set(readFileSync(LIST, 'utf8').trim().split('\n'));
  return list.has(password.toLowerCase());
}
