import Papa from 'papaparse';
import { decodeText } from './decode-text.ts';
import type { Document } from './passages.ts';
import { tableSections } from './tables.ts';

const ROWS_MAX = 1_000_000;

/** Rows of values between commas, tabs or semicolons: each with its column names. */
export function readRows(data: Uint8Array): Document {
  const text = decodeText(data);
  // Found without empty lines, such as the last: among a few rows of two columns, they make the parser miss what separates the columns.
  const { delimiter } = Papa.parse<string[]>(text, { preview: 1, skipEmptyLines: 'greedy' }).meta;
  const { data: rows } = Papa.parse<string[]>(text, { preview: ROWS_MAX + 1, delimiter });
  const cut = rows.length > ROWS_MAX;
  if (cut) rows.length = ROWS_MAX;
  return {
    sections: () => tableSections({ rows, headed: false }),
    only: cut ? `${ROWS_MAX.toLocaleString('en')} rows` : undefined,
  };
}
