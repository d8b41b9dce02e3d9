import { activityEvent } from '@atelier/contract/accounts/activity';
import { expect, it } from 'vitest';
import { activityWords, networkWords } from './activity-words.ts';

const once = { about: null, name: null, count: 1 };

it('says every event in a sentence of its own', () => {
  const sentences = activityEvent.options.map((event) => activityWords({ ...once, event }));
  expect(new Set(sentences).size).toBe(activityEvent.options.length);
  expect(sentences.filter((sentence) => /_|undefined|null/u.test(sentence))).toEqual([]);
});

it.each([
  ['sign_in', { about: 'google' }, 'Signed in with an account at Google'],
  ['sign_in', { about: 'recovery_code' }, 'Signed in with a recovery code'],
  ['sign_in', { about: 'constructor' }, 'Signed in with another way'],
  ['sign_in_failed', { about: 'password', count: 12 }, 'Wrong password at sign-in, 12 times'],
  ['sign_in_failed', { about: 'passkey' }, 'Failed to sign in with a passkey'],
  ['ways_suspended', { count: 3 }, '3 ways into the account suspended'],
  ['key_made', { name: 'Cron job …abcd' }, 'Made the API key “Cron job …abcd”'],
  ['share_made', { name: 'Kilns' }, 'Shared a link to “Kilns”'],
  ['share_made', { name: '' }, 'Shared a link'],
] as const)('%s %o', (event, told, sentence) => {
  expect(activityWords({ ...once, ...told, event })).toBe(sentence);
});

it.each([
  ['203.0.113.0/24', '203.0.113.…'],
  ['2001:db8:7::/48', '2001:db8:7:…'],
  ['192.168.1.0/24', 'the local network (192.168.1.…)'],
  ['172.32.1.0/24', '172.32.1.…'],
  ['127.0.0.0/24', 'the server’s own computer'],
  ['0:0:0::/48', 'the server’s own computer'],
])('%s', (network, words) => {
  expect(networkWords(network)).toBe(words);
});
