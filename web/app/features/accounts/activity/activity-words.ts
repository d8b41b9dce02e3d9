import type { Activity } from '@atelier/contract/accounts/activity';
import { ACTIVITY_SENTENCES } from '@atelier/contract/accounts/activity-sentences';

/** What happened, in a plain sentence without its full stop. */
export const activityWords = (activity: Pick<Activity, 'event' | 'about' | 'name' | 'count'>): string =>
  ACTIVITY_SENTENCES[activity.event](activity);

const LOCAL = /^(?:10|192\.168|172\.(?:1[6-9]|2\d|3[01]))\./;

/** Where it came from, as far as that is kept: the first part of an address. */
export function networkWords(network: string): string {
  if (network.startsWith('127.') || network.startsWith('0:0:0:')) return 'the server’s own computer';
  const first = network.includes(':') ? network.replace(/::\/48$/, ':…') : network.replace(/0\/24$/, '…');
  return LOCAL.test(network) ? `the local network (${first})` : first;
}
