import { z } from 'zod';
import { AppError } from '../errors.ts';
import { parsedJson } from '../parsed-json.ts';

/** As `encodeCursor` writes it, with a four-digit year: PostgreSQL accepts no other. None of our rows is older than 1970. */
const instant = z.iso
  .datetime()
  .transform((text) => new Date(text))
  .refine((at) => at.getTime() >= 0);
const position = z.tuple([instant, z.uuid()]);
const rank = z.tuple([z.number().int().min(0).max(2_147_483_647), z.uuid()]);
const storable = z
  .string()
  .max(1_000)
  .refine((at) => !at.includes('\0'));
const text = z.tuple([storable, z.uuid()]);
/** A place in a list sorted by an instant or a count, then by id. */
export type Position = { at: Date; id: string };
type RankPosition = { at: number; id: string };
type TextPosition = { at: string; id: string };
type AnyPosition = Position | RankPosition | TextPosition;

/** The opaque cursor of a place in a list. */
export function encodeCursor({ at, id }: { at: AnyPosition['at']; id: string }): string {
  return Buffer.from(JSON.stringify([at, id])).toString('base64url');
}

/** The place of a cursor in a list sorted by time; 400 when it is not one of ours. */
export const decodeCursor = (cursor: string | undefined): Position | undefined => decode(cursor, position);
/** The same in a list sorted by count. */
export const decodeRankCursor = (cursor: string | undefined): RankPosition | undefined => decode(cursor, rank);
/** The same in a list sorted by a text. */
export const decodeTextCursor = (cursor: string | undefined): TextPosition | undefined => decode(cursor, text);

function decode<At>(cursor: string | undefined, shape: z.ZodType<[At, string]>): { at: At; id: string } | undefined {
  if (cursor === undefined) return undefined;
  const read = shape.safeParse(parsedJson(Buffer.from(cursor, 'base64url').toString('utf8')));
  if (!read.success) throw new AppError('invalid_input', 'The cursor is not valid.', { field: 'cursor' });
  const [at, id] = read.data;
  return { at, id };
}

/** Turns a query's `limit + 1` rows into a page and its next cursor. */
export function page<T>(
  rows: T[],
  limit: number,
  positionOf: (row: T) => { at: AnyPosition['at']; id: string },
): { rows: T[]; nextCursor: string | null } {
  const last = rows[limit - 1];
  if (rows.length <= limit || last === undefined) return { rows, nextCursor: null };
  return { rows: rows.slice(0, limit), nextCursor: encodeCursor(positionOf(last)) };
}
