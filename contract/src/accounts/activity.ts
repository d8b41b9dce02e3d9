import { z } from 'zod';
import { calls, get } from '../calls.ts';
import { instant, pageQuery } from '../ids.ts';
import { ACTIVITY_SENTENCES } from './activity-sentences.ts';

/** How long an account's activity is kept. */
export const ACTIVITY_DAYS = 90;

/** What concerns an account's safety, as its list and, behind `security.`, the server's log name it. See docs/running.md. */
export type ActivityEvent = keyof typeof ACTIVITY_SENTENCES;
export const activityEvent = z.enum(Object.keys(ACTIVITY_SENTENCES) as [ActivityEvent, ...ActivityEvent[]]);

/**
 * Something that happened, or the same several times within an hour: `count` says how often, or how many it concerns, `at` is the last time.
 * `network` has the first part of the address only. `about` is a way to sign in, or the id of a key, passkey or link, whose `name` is there as
 * long as it exists.
 */
export const activity = z.object({
  id: z.string(),
  event: activityEvent,
  at: instant,
  count: z.number().int(),
  network: z.string().nullable(),
  device: z.string().nullable(),
  about: z.string().nullable(),
  name: z.string().nullable(),
  /** By the sign-in that asks. */
  isHere: z.boolean(),
});
export type Activity = z.infer<typeof activity>;

/** `GET /api/me/activity`: the latest first. */
export const activityAnswer = z.object({ activity: z.array(activity), nextCursor: z.string().nullable() });

export const activityCalls = calls('/api/me/activity', {
  list: get('', 'listActivity', 'What concerned the safety of your account.', {
    query: pageQuery,
    answer: activityAnswer,
  }),
});

/** Browsers by a word of their user agent; the first that fits counts, because most also name others. */
const BROWSERS = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
] as const;
const SYSTEMS = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
] as const;

/** A device for people, from the user agent that it sends: `Firefox on Windows`. It is a claim: any program can send any. */
export function describeDevice(userAgent: string): string {
  const browser = BROWSERS.find(([, pattern]) => pattern.test(userAgent))?.[0];
  const system = SYSTEMS.find(([, pattern]) => pattern.test(userAgent))?.[0];
  if (browser === undefined && system === undefined) return 'An unknown device';
  return system === undefined ? `${browser}` : `${browser ?? 'A browser'} on ${system}`;
}
