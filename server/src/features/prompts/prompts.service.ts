import {
  PROMPT_LIMITS,
  PROMPT_SENTENCES,
  type PromptCreate,
  type PromptUpdate,
  type SavedPrompt,
} from '@atelier/contract/prompts';
import { and, asc, eq, sql } from 'drizzle-orm';
import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import { type Authorized, type Caller, owned } from '../../access.ts';
import { noteDeletion } from '../../platform/backup/deletions.ts';
import { asConflict } from '../../platform/database/constraint.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import { lockUsage } from '../accounts/accounts.counts.service.ts';
import { type SavedPromptRow, savedPrompts } from './prompts.table.ts';

const explainTaken = asConflict('saved_prompts_name', PROMPT_SENTENCES.taken, 'name');

const toPrompt = ({ id, name, text, createdAt, updatedAt }: SavedPromptRow): SavedPrompt => ({
  id,
  name,
  text,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
});

/** The caller's saved prompts, by name. */
export async function listPrompts(ctx: Deps, caller: Caller): Promise<SavedPrompt[]> {
  const rows = await ctx.db
    .select()
    .from(savedPrompts)
    .where(eq(savedPrompts.userId, caller.uid))
    .orderBy(asc(sql`lower(${savedPrompts.name})`), asc(savedPrompts.id));
  return rows.map(toPrompt);
}

/** Saves a prompt; 409 when the name is taken or there are too many. */
export async function createPrompt(ctx: Deps, caller: Caller, input: PromptCreate): Promise<SavedPrompt> {
  return ctx.db
    .transaction(async (tx) => {
      await lockUsage(tx, caller.uid);
      const count = await tx.$count(savedPrompts, eq(savedPrompts.userId, caller.uid));
      if (count >= PROMPT_LIMITS.prompts) throw new AppError('conflict', PROMPT_SENTENCES.full);
      const [row] = await tx
        .insert(savedPrompts)
        .values({ ...input, userId: caller.uid, id: uuidv7() })
        .returning();
      return noted(ctx, tx, owned(caller.uid, row, 'This prompt'));
    })
    .catch(explainTaken);
}

/** The caller's prompt, or 404. */
export async function getPrompt(ctx: Deps, caller: Caller, id: string): Promise<Authorized<SavedPromptRow>> {
  const own = and(eq(savedPrompts.userId, caller.uid), eq(savedPrompts.id, id));
  const [row] = isUuid(id) ? await ctx.db.select().from(savedPrompts).where(own) : [];
  return owned(caller.uid, row, 'This prompt');
}

/** Changes a prompt's name or text; 409 when the name is taken. */
export async function updatePrompt(ctx: Deps, prompt: Authorized<SavedPromptRow>, change: PromptUpdate) {
  return ctx.db
    .transaction(async (tx) => {
      const [row] = await tx
        .update(savedPrompts)
        .set({ ...change, updatedAt: sql`now()` })
        .where(isPrompt(prompt))
        .returning();
      return noted(ctx, tx, owned(prompt.userId, row, 'This prompt'));
    })
    .catch(explainTaken);
}

/** Deletes a prompt. */
export async function deletePrompt(ctx: Deps, prompt: Authorized<SavedPromptRow>): Promise<void> {
  await noteDeletion(ctx, { kind: 'prompt', userId: prompt.userId, ids: [prompt.id] });
  await ctx.db.transaction(async (tx) => {
    await tx.delete(savedPrompts).where(isPrompt(prompt));
    await ctx.live.notify(tx, prompt.userId, 'prompts', prompt.id);
  });
}

const isPrompt = ({ userId, id }: SavedPromptRow) => and(eq(savedPrompts.userId, userId), eq(savedPrompts.id, id));

async function noted(ctx: Deps, tx: Tx, row: SavedPromptRow): Promise<SavedPrompt> {
  await ctx.live.notify(tx, row.userId, 'prompts', row.id);
  return toPrompt(row);
}
