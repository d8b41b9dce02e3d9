import { effort, isNightly } from '../server/src/testing/effort.ts';

/** How a phone differs. */
export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true };

/** Whether a journey with these tags runs on a phone by day. It shares the workers of the others, which have their browsers and servers. */
export const isOnPhone = (tags: readonly string[]) => !isNightly && tags.some((tag) => tag.startsWith('@phone'));

/** Ends of a name and tags for a journey that is another one on a phone: by day it runs as both, at night each project has it. */
export const ON_BOTH: [where: string, tag: string[]][] = effort(
  [
    ['', ['@desk']],
    [' on a phone', ['@phone']],
  ],
  [['', []]],
);
