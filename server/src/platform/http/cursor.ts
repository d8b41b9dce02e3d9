import { z } from 'zod';
import { AppError } from '../errors.ts';

const position = z.tuple([z.coerce.date(), z.uuid()]);
/** A place in a list sorted by an instant and, where equal, by id. */
export type Position = { at: Date; id: string };

/** The opaque cursor that stands for a place in a list. */
export function encodeCursor({ at, id }: Position): string {
  return Buffer.from(JSON.stringify([at.toISOString(), id])).toString('base64url');
}

/** The place that a cursor stands for; 400 when it is not one of ours. */
export function decodeCursor(cursor: string | undefined): Position | undefined {
  if (cursor === undefined) return undefined;
  try {
    const [at, id] = position.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
    return { at, id };
  } catch {
    throw new AppError('invalid_input', 'The cursor is not valid.', { field: 'cursor' });
  }
}

/** Cuts a query's `limit + 1` rows to a page and its next cursor. */
export function page<T>(
  rows: T[],
  limit: number,
  positionOf: (row: T) => Position,
): { rows: T[]; nextCursor: string | null } {
  const last = rows[limit - 1];
  if (rows.length <= limit || last === undefined) return { rows, nextCursor: null };
  return { rows: rows.slice(0, limit), nextCursor: encodeCursor(positionOf(last)) };
}
