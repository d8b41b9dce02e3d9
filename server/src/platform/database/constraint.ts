import { AppError } from '../errors.ts';

/** Whether an error, however wrapped, violates the named constraint or unique index. */
export function violates(error: unknown, constraint: string): boolean {
  for (let e: unknown = error, depth = 0; e instanceof Error && depth < 5; e = e.cause, depth += 1) {
    if ('constraint' in e && e.constraint === constraint) return true;
  }
  return false;
}

/** For `catch`: what violates the named constraint is refused with 409 and this sentence; other errors stay as they are. */
export const asConflict =
  (constraint: string, sentence: string, field?: string) =>
  (error: unknown): never => {
    if (!violates(error, constraint)) throw error;
    throw new AppError('conflict', sentence, field === undefined ? {} : { field });
  };
