import {
  isBudget,
  type ServerSettings,
  type SettingChanges,
  type SettingKey,
  serverSettings,
  settingChanges,
  variableOf,
} from '@atelier/contract/operator/settings';
import { sql } from 'drizzle-orm';
import type { Db, Tx } from '../../platform/database/database.ts';
import { type FollowedValue, followStored } from '../../platform/database/followed-value.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import { settings } from './settings.table.ts';

declare module '../../platform/deps.ts' {
  interface Deps {
    /** The settings as this process knows them, for what is asked at each message and page. */
    settings: FollowedValue<ServerSettings>;
  }
}

/**
 * All settings as they are now. Read where they are needed, in one statement: a change counts in every process at once. Throws where a
 * stored one is none of this version's, rather than open a door by a default.
 */
export async function readSettings({ db }: { db: Db }): Promise<ServerSettings> {
  const rows = await db.select({ key: settings.key, value: settings.value }).from(settings);
  return serverSettings.parse(Object.fromEntries(rows.map(({ key, value }) => [key, value])));
}

/** Keeps what this process knows of the settings up to date. */
export const followSettings = (ctx: Pick<Deps, 'db' | 'live' | 'log'>): FollowedValue<ServerSettings> =>
  followStored(ctx, {
    name: 'settings.read',
    read: () => readSettings(ctx),
    concerns: ({ topic }) => topic === 'settings',
  });

/** What a change did to one setting, as the operator writes values. */
export interface SettingChange {
  key: SettingKey;
  before: string;
  after: string;
}

interface ChangeOptions {
  /** The settings as they were when somebody began to change them. */
  began?: SettingChanges | undefined;
  /** Belongs into the same transaction, and gets those whose value is another one now. */
  also?: (tx: Tx, changed: SettingChange[]) => Promise<void>;
}

/**
 * Changes some settings, all or none; open pages of everybody hear of it. Throws 400 for a value that one can't have, 409 where one of them isn't
 * as the change began.
 */
export async function changeSettings(
  ctx: { db: Db; live: Pick<Deps['live'], 'notify'>; settings?: FollowedValue<ServerSettings> },
  changes: { [K in SettingKey]?: unknown },
  { began, also }: ChangeOptions = {},
): Promise<ServerSettings> {
  const parsed = settingChanges.safeParse(changes);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new AppError('invalid_input', issue?.message ?? 'This can’t be set.', { field: String(issue?.path[0]) });
  }
  const now = await ctx.db.transaction(async (tx) => {
    // Two changes at once follow each other: each is written down with what was before it.
    await tx.execute(sql`lock table ${settings} in share row exclusive mode`);
    const before = await readSettings({ db: tx });
    if (began !== undefined) requireUnchanged(before, serverSettings.parse(began), parsed.data);
    const changed = await storeChanges(tx, before, parsed.data);
    for (const { key } of changed) await ctx.live.notify(tx, '*', 'settings', key);
    await also?.(tx, changed);
    return { ...before, ...parsed.data };
  });
  // A command beside the server knows none. Where this fails, it is tried again.
  await ctx.settings?.read().catch(() => {});
  return now;
}

/** Throws 409 for a setting that isn't as the change began, unless it has the new value already. */
function requireUnchanged(now: ServerSettings, began: ServerSettings, changes: SettingChanges): void {
  const after = { ...now, ...changes };
  const keys = Object.keys(changes).filter(isSetting);
  const other = keys.find((key) => ![began, after].some((all) => settingText(key, all) === settingText(key, now)));
  if (other === undefined) return;
  const message = 'This setting has changed in the meantime. Please take another look.';
  throw new AppError('conflict', message, { field: other });
}

async function storeChanges(tx: Tx, before: ServerSettings, changes: SettingChanges): Promise<SettingChange[]> {
  const changed: SettingChange[] = [];
  for (const [name, value] of Object.entries(changes)) {
    const key = name as SettingKey;
    const change = { key, before: settingText(key, before), after: settingText(key, { ...before, ...changes }) };
    if (change.before === change.after) continue;
    await tx
      .insert(settings)
      // A budget that was taken away differs from one that was never set here.
      .values({ key, value: sql`${JSON.stringify(value)}::jsonb` })
      .onConflictDoUpdate({ target: settings.key, set: { value: sql`excluded.value`, updatedAt: sql`now()` } });
    changed.push(change);
  }
  return changed;
}

/** A setting's value as the operator writes it: a list with commas, `none` where it is empty. */
export function settingText(key: SettingKey, all: ServerSettings): string {
  const value = all[key];
  if (value === undefined) return `as ${isBudget(key) ? variableOf(key) : 'before'}`;
  return (Array.isArray(value) ? value.join(',') : String(value ?? '')) || 'none';
}

/** The value that a text of the operator stands for; `changeSettings` says whether it is one. */
export function settingValue(key: SettingKey, text: string): unknown {
  const isNone = text.trim() === 'none';
  if (isBudget(key) && isNone) return null;
  const before = serverSettings.parse({})[key];
  if (isBudget(key) || typeof before === 'number') return text.trim() === '' ? text : Number(text);
  if (before === '' && isNone) return '';
  if (!Array.isArray(before)) return text;
  const parts = text.split(',').map((part) => part.trim());
  return isNone ? [] : parts.filter((part) => part !== '');
}

export const isSetting = (key: string): key is SettingKey => Object.hasOwn(serverSettings.shape, key);

/** Every setting with its value and what it means, a paragraph each. */
export async function describeSettings(ctx: { db: Db }): Promise<string> {
  const now = await readSettings(ctx);
  return Object.entries(serverSettings.shape)
    .map(([key, { description = '' }]) => `${key} = ${settingText(key as SettingKey, now)}\n  ${description}`)
    .join('\n');
}
