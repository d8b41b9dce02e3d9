import { z } from 'zod';

/** Who may open an account. */
export const signUpMode = z.enum(['open', 'invitation', 'domain', 'approval', 'closed']);
export type SignUpMode = z.infer<typeof signUpMode>;

const plan = z.enum(['free', 'pro']);
const domain = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(/^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+$/u, 'This is not a domain such as school.example.');
const network = z.union(
  [z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()],
  'This is neither an IP address nor a block such as 192.0.2.0/24.',
);

/** What the operator changes while the server runs, with its value until then. */
export const serverSettings = z.object({
  'sign-up': signUpMode
    .default('open')
    .describe(
      'Who may open an account: everybody (open), people with an invitation (invitation), people with a confirmed email of a domain in sign-up-domains (domain), everybody after the operator’s approval (approval), or nobody (closed). An invitation works in every mode but closed',
    ),
  'sign-up-domains': z.array(domain).max(100).default([]).describe('Domains of emails, such as school.example'),
  'member-invitations': z
    .int()
    .min(0)
    .max(20)
    .default(0)
    .describe(
      'How many open invitations each account may have; with 0 only the operator can invite, and invitations of others end',
    ),
  'new-account-plan': plan.default('free').describe('The plan with which an account begins'),
  'domain-plan': plan
    .default('free')
    .describe('The plan of a new account with an email of sign-up-domains, once the email is confirmed'),
  'own-networks': z
    .array(network)
    .max(100)
    .default([])
    .describe('Addresses from which many people may sign up at once, such as a school’s: addresses or blocks'),
});
export type ServerSettings = z.infer<typeof serverSettings>;
export type SettingKey = keyof ServerSettings;
