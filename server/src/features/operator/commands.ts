import type { Reply } from '../../platform/command-socket.ts';
import { AppError } from '../../platform/errors.ts';

/** What was typed after the name of a command. */
export interface Typed {
  words: readonly string[];
  values: { [option: string]: string | undefined };
  reason: string;
}

/** A command: returns what it says of its success, or null where it doesn’t understand what was typed. */
export type Command<Ctx> = (ctx: Ctx, typed: Typed) => Promise<string | Reply | null>;
export type Commands<Ctx> = Readonly<Record<string, Command<Ctx>>>;

export const failed = (message: string): Reply => ({ ok: false, message });

/** A reply in place of a refusal; what is no refusal is thrown on. */
export const unless =
  (message: string) =>
  (error: unknown): Reply => {
    if (error instanceof AppError) return failed(message);
    throw error;
  };
