import Papa from 'papaparse';
import { decodeText } from './decode-text.ts';
import type { Document } from './passages.ts';
import { tableSections } from './tables.ts';

const ROWS_MAX = 1_000_000;

/** Rows of values between commas, tabs or semicolons: each with its column names. */
export function readRows(data: Uint8Array): Document {
  const { data: rows } = Papa.parse<string[]>(decodeText(data), { preview: ROWS_MAX + 1 });
  const cut = rows.length > ROWS_MAX;
  if (cut) rows.length = ROWS_MAX;
  return {
    sections: () => tableSections({ rows, headed: false }),
    only: cut ? `${ROWS_MAX.toLocaleString('en')} rows` : undefined,
  };
}
