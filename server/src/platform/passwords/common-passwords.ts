import { readFileSync } from 'node:fs';

/** Made by `scripts/common-passwords.ts`. */
const LIST = new URL('./common-passwords.txt', import.meta.url);

let list: ReadonlySet<string> | undefined;

/** Whether a password is one of the some five thousand that most people use, in whatever case, or a pattern that needs no list. */
export function isCommonPassword(password: string): boolean {
  list ??= new Set(readFileSync(LIST, 'utf8').trim().split('\n'));
  const word = password.toLowerCase();
  return list.has(word) || /^(.{1,3})\1+.?$/su.test(word) || isRun(word);
}

/** Each character next to the one before, upwards or downwards, as 654321. */
function isRun(word: string): boolean {
  const steps = [...word].slice(1).map((char, at) => (char.codePointAt(0) ?? 0) - (word.codePointAt(at) ?? 0));
  return steps.length > 2 && Math.abs(steps[0] ?? 0) === 1 && steps.every((step) => step === steps[0]);
}
