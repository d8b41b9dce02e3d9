/** A number of seconds in words: `1 second`, `20 seconds`. */
export const inSeconds = (seconds: number) => `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;

/** A longer wait in words, rounded up: `a minute`, `20 minutes`, `3 hours`. */
export function waitWords(seconds: number): string {
  if (seconds <= 60) return 'a minute';
  return seconds <= 60 * 60 ? `${Math.ceil(seconds / 60)} minutes` : `${Math.ceil(seconds / (60 * 60))} hours`;
}
