import { type ServerSettings, type SettingKey, serverSettings } from '@atelier/contract/operator/settings';
import { sql } from 'drizzle-orm';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import { settings } from './settings.table.ts';

/**
 * All settings as they are now. Read where they are needed, in one statement: a change counts in every process at once. Throws where a
 * stored one is none of this version's, rather than open a door by a default.
 */
export async function readSettings({ db }: { db: Db }): Promise<ServerSettings> {
  const rows = await db.select({ key: settings.key, value: settings.value }).from(settings);
  return serverSettings.parse(Object.fromEntries(rows.map(({ key, value }) => [key, value])));
}

/** Changes one; open pages of everybody hear of it. `also` belongs into the same transaction. Throws 400 for a value that it can't have. */
export async function changeSetting<K extends SettingKey>(
  ctx: { db: Db; live: Pick<Deps['live'], 'notify'> },
  key: K,
  value: unknown,
  also?: (tx: Tx) => Promise<void>,
): Promise<ServerSettings[K]> {
  const parsed = serverSettings.shape[key].safeParse(value);
  if (!parsed.success) {
    throw new AppError('invalid_input', parsed.error.issues[0]?.message ?? 'This can’t be set.', { field: key });
  }
  const row = { key, value: parsed.data };
  await ctx.db.transaction(async (tx) => {
    await tx
      .insert(settings)
      .values(row)
      .onConflictDoUpdate({ target: settings.key, set: { value: row.value, updatedAt: sql`now()` } });
    await ctx.live.notify(tx, '*', 'settings', key);
    await also?.(tx);
  });
  return parsed.data as ServerSettings[K];
}

/** A setting's value as the operator writes it: a list with commas, `none` where it is empty. */
export const settingText = (value: ServerSettings[SettingKey]): string =>
  Array.isArray(value) ? value.join(',') || 'none' : String(value);

/** The value that a text of the operator stands for; `changeSetting` says whether it is one. */
export function settingValue(key: SettingKey, text: string): unknown {
  const before = serverSettings.parse({})[key];
  if (typeof before === 'number') return text.trim() === '' ? text : Number(text);
  if (!Array.isArray(before)) return text;
  const parts = text.split(',').map((part) => part.trim());
  return text.trim() === 'none' ? [] : parts.filter((part) => part !== '');
}

export const isSetting = (key: string): key is SettingKey => Object.hasOwn(serverSettings.shape, key);

/** Every setting with its value and what it means, a paragraph each. */
export async function describeSettings(ctx: { db: Db }): Promise<string> {
  const now = await readSettings(ctx);
  return Object.entries(serverSettings.shape)
    .map(([key, { description = '' }]) => `${key} = ${settingText(now[key as SettingKey])}\n  ${description}`)
    .join('\n');
}
