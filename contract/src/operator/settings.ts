import { z } from 'zod';
import { signUpMode } from '../accounts/door.ts';
import { cleanName } from '../names/names.ts';
import { tooLong } from '../names/plain-text.ts';

/** The most characters of an announcement. */
export const ANNOUNCEMENT_MAX = 200;

const plan = z.enum(['free', 'pro']);
const domain = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(/^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+$/u, 'This is not a domain such as school.example.');
const addresses = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]);
const network = z
  .string()
  .refine(
    (text) => addresses.safeParse(text).success,
    'This is neither an IP address nor a block such as 192.0.2.0/24.',
  );
const tokens = z.int('A budget of tokens is a whole number.').min(1, 'A budget is at least 1.').nullable();
const cost = z.number('A budget of money is a number.').positive('A budget is more than 0.').max(1e12).nullable();

/** The text of an announcement around its link. Punctuation behind an address belongs to the sentence. */
export function announcementParts(text: string): { text: string; isLink: boolean }[] {
  return text.split(' ').flatMap((word, at) => {
    const gap = at === 0 ? '' : ' ';
    const ends = '.,;:!?)';
    const address = word.slice(0, word.length - [...word].toReversed().findIndex((letter) => !ends.includes(letter)));
    const isAddress = ['https://', 'http://'].some((start) => address.startsWith(start)) && URL.canParse(address);
    if (!isAddress) return [{ text: gap + word, isLink: false }];
    return [gap, address, word.slice(address.length)].map((part) => ({ text: part, isLink: part === address }));
  });
}

/** What the operator changes while the server runs. */
const values = {
  'sign-up': signUpMode,
  'sign-up-domains': z.array(domain).max(100),
  'member-invitations': z.int('This is a whole number.').min(0, 'This is at least 0.').max(20, 'This is at most 20.'),
  'new-account-plan': plan,
  'domain-plan': plan,
  'own-networks': z.array(network).max(100),
  'budget-account-day-tokens': tokens,
  'budget-account-month-tokens': tokens,
  'budget-account-day-cost': cost,
  'budget-account-month-cost': cost,
  'budget-server-day-tokens': tokens,
  'budget-server-month-tokens': tokens,
  'budget-server-day-cost': cost,
  'budget-server-month-cost': cost,
  announcement: z
    .string('The announcement must be text.')
    .overwrite(cleanName)
    .max(ANNOUNCEMENT_MAX, tooLong(ANNOUNCEMENT_MAX, 'The announcement'))
    .refine(
      (text) => announcementParts(text).filter(({ isLink }) => isLink).length <= 1,
      'An announcement can have one link.',
    ),
  'announcement-until': z.union([z.literal(''), z.iso.date()], 'Write a day as 2026-11-23.'),
};

/** Some of the settings, with the values that they get. */
export const settingChanges = z.strictObject(values).partial();
export type SettingChanges = z.infer<typeof settingChanges>;

/** The variable of the environment that sets a budget until the operator changes it here. */
export const variableOf = <K extends BudgetKey>(key: K) => key.toUpperCase().replaceAll('-', '_') as Variable<K>;
type Variable<Key extends string> = Key extends `${infer First}-${infer Rest}`
  ? `${Uppercase<First>}_${Variable<Rest>}`
  : Uppercase<Key>;

const account = 'for one account on a day in UTC, read and written together; none: no budget';
const sameMonth = 'The same for a month';

/** All settings, each with its value until the operator changes it. Of a budget that is what its variable in the environment says. */
export const serverSettings = z.object({
  'sign-up': values['sign-up']
    .default('open')
    .describe(
      'Who may open an account: everybody (open), people with an invitation (invitation), people with a confirmed email of a domain in sign-up-domains (domain), everybody after the operator’s approval (approval), or nobody (closed). An invitation works in every mode but closed',
    ),
  'sign-up-domains': values['sign-up-domains'].default([]).describe('Domains of emails, such as school.example'),
  'member-invitations': values['member-invitations']
    .default(0)
    .describe(
      'How many open invitations each account may have; with 0 only the operator can invite, and invitations of others end',
    ),
  'new-account-plan': values['new-account-plan'].default('free').describe('The plan with which an account begins'),
  'domain-plan': values['domain-plan']
    .default('free')
    .describe('The plan of a new account with an email of sign-up-domains, once the email is confirmed'),
  'own-networks': values['own-networks']
    .default([])
    .describe('Addresses from which many people may sign up at once, such as a school’s: addresses or blocks'),
  'budget-account-day-tokens': tokens.optional().describe(`The most tokens that models may take ${account}`),
  'budget-account-month-tokens': tokens.optional().describe(sameMonth),
  'budget-account-day-cost': cost
    .optional()
    .describe(
      'The most money that models may take for one account on a day, in the currency of the prices. Models without a price can’t be used then',
    ),
  'budget-account-month-cost': cost.optional().describe(sameMonth),
  'budget-server-day-tokens': tokens.optional().describe('The most tokens for all accounts together on a day'),
  'budget-server-month-tokens': tokens.optional().describe(sameMonth),
  'budget-server-day-cost': cost.optional().describe('The most money for all accounts together on a day'),
  'budget-server-month-cost': cost.optional().describe(sameMonth),
  announcement: values.announcement
    .default('')
    .describe('A line at the top of every page, with at most one link, until announcement-until'),
  'announcement-until': values['announcement-until']
    .default('')
    .describe('The last day of the announcement in UTC, such as 2026-11-23'),
});
export type ServerSettings = z.infer<typeof serverSettings>;
export type SettingKey = keyof ServerSettings;
export type BudgetKey = Extract<SettingKey, `budget-${string}`>;
export const isBudget = (key: SettingKey): key is BudgetKey => key.startsWith('budget-');
