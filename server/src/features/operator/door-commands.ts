import type { ServerSettings } from '@atelier/contract/operator/settings';
import { invitationExtent } from '@atelier/contract/operator/settings-calls';
import type { Reply } from '../../platform/command-socket.ts';
import { listWaiting } from '../accounts/accounts.closing.service.ts';
import { canMailPeople, pageAddress } from '../accounts/accounts.mail.service.ts';
import { findUserId, listConfirmedOf } from '../accounts/accounts.service.ts';
import { listAllInvitations } from '../accounts/door/invitations.service.ts';
import { describeSettings, isSetting, readSettings, settingText, settingValue } from '../settings/settings.service.ts';
import { ACCOUNT_ACTS, type ActsContext as Ctx } from './account-acts.service.ts';
import { type Commands, failed, type Typed, unless } from './commands.ts';
import { changeByOperator, endAsOperator, inviteAsOperator } from './server-settings.service.ts';

/** Commands about who may come in, and with which plan. */
export const doorCommands: Commands<Ctx> = {
  setting: async (ctx, { words: [key, text, ...more], reason }) => {
    if (more.length > 0) return null;
    if (key === undefined) return describeSettings(ctx);
    if (!isSetting(key)) return failed(`There is no setting “${key}”. \`npm run admin -- setting\` shows all.`);
    if (text === undefined) return `${key} = ${settingText(key, await readSettings(ctx))}`;
    const act = { actorId: null, reason };
    const settings = await changeByOperator(ctx, act, { changes: { [key]: settingValue(key, text) } });
    return `${key} = ${settingText(key, settings)}${advice(ctx, key, settings)}`;
  },
  invite: async (ctx, typed) => (typed.words.length > 0 ? null : invite(ctx, typed)),
  invitations: async (ctx, { words }) => (words.length > 0 ? null : reportInvitations(ctx)),
  'invite-end': async (ctx, { words: [id, ...more], reason }) => {
    if (id === undefined || more.length > 0) return null;
    return endAsOperator(ctx, { actorId: null, reason }, id).then(
      () => 'The invitation has ended.',
      unless(`There is no invitation with the id ${id}.`),
    );
  },
  waiting: async (ctx, { words }) => (words.length > 0 ? null : reportWaiting(ctx)),
};

/** What a setting still needs, so that nobody waits in vain. */
function advice(ctx: Ctx, key: string, now: ServerSettings): string {
  if (key === 'announcement' && now.announcement !== '' && now['announcement-until'] === '')
    return '\nNobody sees it until announcement-until names its last day.';
  if (now['sign-up'] !== 'domain' || !key.startsWith('sign-up')) return '';
  if (now['sign-up-domains'].length === 0) return '\nNobody can sign up until sign-up-domains names a domain.';
  return canMailPeople(ctx)
    ? ''
    : '\nThis server can’t send mail, so nobody can confirm an email: let each new account in with approve.';
}

/** A number as it was written; an empty one is none. */
const figure = (text: string | undefined) => (text === undefined ? undefined : Number(text.trim() || Number.NaN));

async function invite(ctx: Ctx, { values, reason }: Typed): Promise<string | Reply> {
  const parsed = invitationExtent.safeParse({
    people: figure(values.people),
    days: figure(values.days),
    plan: values.plan,
  });
  if (!parsed.success) {
    return failed('--people is a number up to 10,000, --days one up to 3,650, --plan is free or pro.');
  }
  const { people, plan } = parsed.data;
  const { id, token, endsAt } = await inviteAsOperator(ctx, { actorId: null, reason }, parsed.data);
  const who = people === 1 ? 'one account' : `${people} accounts`;
  const how = plan === null ? '' : `, each ${plan === 'pro' ? 'Pro' : 'Free'}`;
  return (
    `Anyone with this link can open an account, ${who} in all${how}, until ${minute(endsAt)}:\n${addressOf(ctx, token)}\n` +
    `\`npm run admin -- invite-end ${id}\` ends it.`
  );
}

const addressOf = ({ config }: Ctx, token: string) => pageAddress(config, `/signup#${token}`);
const minute = (at: Date) => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

async function reportInvitations(ctx: Ctx): Promise<string> {
  const rows = await listAllInvitations(ctx);
  if (rows.length === 0) return 'No invitation is open.';
  const line = ({ id, userId, uses, maxUses, plan, endsAt, token }: (typeof rows)[number]) => {
    const whose = userId === null ? `yours  ${addressOf(ctx, token)}` : `of the account ${userId}`;
    return `${id}  ${uses} of ${maxUses} used, until ${minute(endsAt)}${plan === null ? '' : `, ${plan}`}  ${whose}`;
  };
  return rows.map(line).join('\n');
}

async function reportWaiting(ctx: Ctx): Promise<string> {
  const rows = await listWaiting(ctx);
  if (rows.length === 0) return 'Nobody is waiting.';
  return rows
    .map(({ email, name, waitingFor, createdAt }) => `${minute(createdAt)}  ${email}  ${name}  waits for ${waitingFor}`)
    .join('\n');
}

/** Of a list the command line sends the words, see admin.ts: the server may not read the operator's files. */
export async function grantMany(ctx: Ctx, { values, reason }: Typed): Promise<string | Reply> {
  const { list, domain } = values;
  if (reason === '' || (list === undefined) === (domain === undefined)) {
    return failed('Name either --list FILE or --domain NAME, and say why: --reason TEXT.');
  }
  let [granted, before] = [0, 0];
  const grant = async (userId: string) => {
    const isNew = await ACCOUNT_ACTS['grant-pro'](ctx, { actorId: null, userId, reason });
    return isNew ? (granted += 1) : (before += 1);
  };
  const unknown: string[] = [];
  if (list === undefined) {
    for await (const userId of listConfirmedOf(ctx, domain ?? '')) await grant(userId);
  } else {
    for (const email of new Set(list.toLowerCase().split(/[\s,;]+/u))) {
      if (email === '') continue;
      const userId = await findUserId(ctx, email);
      if (userId === null) unknown.push(email);
      else await grant(userId);
    }
  }
  const none = unknown.length === 0 ? '' : `\nNo account has these emails: ${unknown.join(', ')}`;
  return `${granted} accounts are Pro now; ${before} were already.${none}`;
}
