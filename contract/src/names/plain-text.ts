import { z } from 'zod';

export const tooLong = (max: number, what: string) =>
  // Formatted when it is needed: the first number that a page formats takes up to 30 ms.
  ({ error: () => `${what} can have at most ${max.toLocaleString('en-US')} characters.` });

export const plainText = (max: number, what: string) => z.string(`${what} must be text.`).max(max, tooLong(max, what));
