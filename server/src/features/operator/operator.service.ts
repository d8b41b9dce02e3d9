import { parseArgs } from 'node:util';
import type { Reply } from '../../platform/command-socket.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import { canMailPeople } from '../accounts/accounts.mail.service.ts';
import { findUserId } from '../accounts/accounts.service.ts';
import { reportPayments } from '../billing/billing.books.service.ts';
import { deleteMessage, reportInbox } from '../contact/contact.service.ts';
import { exportLedger } from '../ledger/ledger.service.ts';
import { ACCOUNT_ACTS, type AccountAct, type ActsContext, issueLinkByOperator } from './account-acts.service.ts';
import { audit } from './audit.service.ts';
import { type Command, failed, libraryCommands, providerCommands } from './commands.ts';
import { doorCommands, grantMany } from './door-commands.ts';
import { type PartState, type PartsContext, tryParts } from './parts.ts';

const ADMIN_USAGE = `Usage:
  npm run admin -- check                             tries every part of the installation and shows what works
  npm run admin -- grant-pro EMAIL --reason TEXT     makes an account Pro, for life
  npm run admin -- payments [EMAIL]                  shows payments, refunds and disputes
  npm run admin -- ledger --from DAY --to DAY        writes what models took as CSV, by account, day, model and purpose
  npm run admin -- inbox                             shows the messages of the contact page and their delivery
  npm run admin -- inbox-delete ID                   removes one of them for good
  npm run admin -- servers                           starts the configured tool servers and shows how each is
  npm run admin -- tools                             shows which tools of the configured servers changed
  npm run admin -- tools-approve SERVER CODE         approves them as they were shown
  npm run admin -- tools-leave-off SERVER CODE --reason TEXT
                                                     leaves them off, until the server changes them again
  npm run admin -- models                            shows the model providers, what each lists and what is offered
  npm run admin -- models-off NAME...                takes models away from people
  npm run admin -- models-on NAME...                 offers them again
  npm run admin -- reset-link EMAIL                  issues a link to choose a new password, for 30 minutes
  npm run admin -- remove-factor EMAIL --reason TEXT removes a second factor whose phone or codes are lost
  npm run admin -- remove-passkeys EMAIL --reason TEXT
                                                     removes all passkeys, of which one is lost or stolen, and signs out
  npm run admin -- disable EMAIL [--reason TEXT]     closes an account and ends its sessions
  npm run admin -- enable EMAIL                      opens it again
  npm run admin -- confirm-email EMAIL               confirms its email, which an operator’s has to be, where no mail can
  npm run admin -- library [WORDS]                   shows the public agents that were reported, or finds some by name or author
  npm run admin -- dismiss-reports AUTHOR/AGENT      closes the reports of one of them
  npm run admin -- unpublish AUTHOR/AGENT --reason TEXT
                                                     makes one private; its author reads why
  npm run admin -- block-publishing EMAIL --reason TEXT
                                                     lets an account publish no agents
  npm run admin -- unblock-publishing EMAIL          lets it publish again
  npm run admin -- setting [NAME [VALUE]]            shows what can be set while the server runs, or sets it
  npm run admin -- invite [--people N] [--days N] [--plan free|pro]
                                                     makes a link with which N people (1) may open an account in N days (7)
  npm run admin -- invitations                       shows the open invitations, also those of members
  npm run admin -- invite-end ID                     ends one of them
  npm run admin -- waiting                           shows new accounts that wait to be let in
  npm run admin -- approve EMAIL                     lets one in
  npm run admin -- reject EMAIL                      deletes one
  npm run admin -- grant-pro --list FILE --reason TEXT
                                                     makes all accounts of a list of emails Pro
  npm run admin -- grant-pro --domain NAME --reason TEXT
                                                     makes all accounts with a confirmed email of a domain Pro`;

const usage = (problem: string): Reply => failed(`${problem}\n\n${ADMIN_USAGE}`);

/** What the operator's commands need: of the jobs and of open pages they only tell. */
type CommandContext = Pick<Deps, 'operatorSources'> & PartsContext & ActsContext;

/** Runs one command of the operator and returns its result; an unknown command changes nothing. */
export async function runAdminCommand(ctx: CommandContext, args: string[]): Promise<Reply> {
  const parsed = parse(args);
  if (parsed === null) return usage('This command is not understood.');
  const { command, ...typed } = parsed;
  if (command === undefined) return usage('A command takes one email.');
  const isOfMany = command === 'grant-pro' && (typed.values.list ?? typed.values.domain) !== undefined;
  const account = isOfMany ? undefined : ACCOUNT_COMMANDS.get(command);
  const run = account === undefined ? COMMANDS.get(command) : onAccount(account, NEED_REASON.has(command));
  if (run === undefined) return usage(`There is no command “${command}”.`);
  try {
    const answer = await run(ctx, typed);
    if (answer === null) return usage('This command is not understood.');
    return typeof answer === 'string' ? { ok: true, message: answer } : answer;
  } catch (error) {
    if (error instanceof AppError) return failed(error.message);
    throw error;
  }
}

const noAccount = (email: string) => failed(`There is no account with the email ${email}.`);

const COMMANDS = new Map(
  Object.entries<Command<CommandContext>>({
    ...doorCommands,
    ...libraryCommands,
    ...providerCommands,
    'grant-pro': async (ctx, typed) => (typed.words.length > 0 ? null : grantMany(ctx, typed)),
    check: async (ctx, { words }) => {
      if (words.length > 0) return null;
      const states = await tryParts(ctx, { asks: true });
      return { ok: states.every(({ state }) => state !== 'broken'), message: partsTable(states) };
    },
    ledger: async (ctx, { words, values }) =>
      words.length > 0 ? null : exportLedger(ctx, values.from ?? '', values.to ?? ''),
    payments: async (ctx, { words: [email, ...more] }) => {
      if (more.length > 0) return null;
      const userId = email === undefined ? undefined : await findUserId(ctx, email);
      return userId === null ? noAccount(email ?? '') : reportPayments(ctx, userId);
    },
    inbox: async (ctx, { words }) => (words.length > 0 ? null : reportInbox(ctx)),
    'inbox-delete': async (ctx, { words: [id, ...more] }) =>
      id === undefined || more.length > 0 ? null : removeMessage(ctx, id),
  }),
);

function partsTable(states: readonly PartState[]): string {
  const rows = states.map(({ name, of, state, about }) => [state, name, of, about]);
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')).join('\n');
}

type AccountCommand = (ctx: CommandContext, act: AccountAct & { email: string }) => Promise<string | Reply>;

/** A command about the account with an email. */
const onAccount =
  (act: AccountCommand, needsReason: boolean): Command<CommandContext> =>
  async (ctx, { words: [email, ...more], reason }) => {
    if (email === undefined || more.length > 0) return usage('A command takes one email.');
    if (needsReason && reason === '') return usage('Say why: --reason TEXT.');
    const userId = await findUserId(ctx, email);
    return userId === null ? noAccount(email) : act(ctx, { actorId: null, userId, email, reason });
  };

const NEED_REASON = new Set(['grant-pro', 'remove-factor', 'remove-passkeys', 'block-publishing']);

const mailNote = (ctx: CommandContext, note: string) =>
  canMailPeople(ctx) ? note : 'This server can’t send mail, so tell them.';

/** An act, and what is said of the account after it, where it may have changed nothing. */
const said =
  (what: keyof typeof ACCOUNT_ACTS, changed: string, unchanged = changed): AccountCommand =>
  async (ctx, act) =>
    `${act.email} ${(await ACCOUNT_ACTS[what](ctx, act)) ? changed : unchanged}.`;

const ACCOUNT_COMMANDS = new Map(
  Object.entries<AccountCommand>({
    'reset-link': async (ctx, act) => {
      const link = await issueLinkByOperator(ctx, act);
      return `Give this link to ${act.email}, and to nobody else. It works once, within 30 minutes:\n${link}`;
    },
    'grant-pro': said('grant-pro', 'is Pro now', 'was Pro already'),
    'remove-factor': async (ctx, act) => {
      if (!(await ACCOUNT_ACTS['remove-factor'](ctx, act))) return failed(`${act.email} has no second factor.`);
      const note = mailNote(ctx, 'They get a mail with the reason.');
      return `The second factor of ${act.email} is removed; they sign in without a code. ${note}`;
    },
    'remove-passkeys': async (ctx, act) => {
      if (!(await ACCOUNT_ACTS['remove-passkeys'](ctx, act))) return failed(`${act.email} has no passkeys.`);
      const note = mailNote(ctx, 'They get a mail with the reason.');
      return `The passkeys of ${act.email} are removed, and all its devices are signed out. ${note}`;
    },
    disable: said('disable', 'is disabled; its sessions have ended'),
    enable: said('enable', 'is enabled and may log in'),
    'block-publishing': said('block-publishing', 'publishes no agents from now on', 'is blocked already'),
    'unblock-publishing': said('unblock-publishing', 'may publish agents again', 'is not blocked'),
    'confirm-email': async (ctx, act) => {
      const changed = await ACCOUNT_ACTS['confirm-email'](ctx, act);
      return `The email ${act.email} is confirmed${changed ? '' : ' already'}.`;
    },
    approve: async (ctx, act) => {
      if (!(await ACCOUNT_ACTS.approve(ctx, act))) return failed(`${act.email} isn’t waiting.`);
      return `${act.email} may log in now. ${mailNote(ctx, 'They get a mail.')}`;
    },
    reject: async (ctx, act) =>
      (await ACCOUNT_ACTS.reject(ctx, act))
        ? `The new account of ${act.email} is deleted.`
        : failed(`${act.email} isn’t waiting.`),
  }),
);

async function removeMessage(ctx: CommandContext, id: string): Promise<string | Reply> {
  const isGone = await ctx.db.transaction(async (tx) => {
    if (!(await deleteMessage({ db: tx }, id))) return false;
    await audit(ctx, tx, { actorId: null, act: 'message_removed', about: id });
    return true;
  });
  return isGone ? 'The message is deleted.' : failed(`There is no message with the id ${id}.`);
}

function parse(args: string[]) {
  try {
    const text = { type: 'string' } as const;
    const { values, positionals } = parseArgs({
      args,
      options: { reason: text, from: text, to: text, people: text, days: text, plan: text, list: text, domain: text },
      allowPositionals: true,
    });
    const [command, ...words] = positionals;
    return { command, words, values, reason: values.reason?.trim() ?? '' };
  } catch {
    return null;
  }
}
