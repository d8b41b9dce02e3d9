import type { Loaded } from './index-cache.ts';

/** Separators between rows and between fields, as character codes. No field contains them. */
export const ROW_END = 0x1e;
export const FIELD_END = 0x1f;

/** Where a portion ends: the version and id of its last row. */
export interface Position {
  version: number;
  id: string;
}

/** The place of the last packed row. */
export function lastPosition(packed: string): Position {
  const last = packed.slice(packed.lastIndexOf(String.fromCharCode(ROW_END)) + 1);
  const [id = '', version] = last.split(String.fromCharCode(FIELD_END), 2);
  return { id, version: Number(version) };
}

const FIELDS = ['id', 'version', 'session', 'kind', 'speaker', 'at', 'forgotten', 'vector', 'text'] as const;
const at = Object.fromEntries(FIELDS.map((name, number) => [name, number])) as Record<(typeof FIELDS)[number], number>;

/** A row without a speaker's name or a vector. */
export type NewRow = Pick<Loaded, 'id' | 'sessionId' | 'kind' | 'at' | 'text'> & { version: number };

/** Rows as the database packs them. */
export function packRows(rows: readonly NewRow[]): string {
  const [fieldEnd, rowEnd] = [String.fromCharCode(FIELD_END), String.fromCharCode(ROW_END)];
  const pack = ({ id, version, sessionId, kind, at: ms, text }: NewRow) => {
    const words = text.replaceAll(fieldEnd, ' ').replaceAll(rowEnd, ' ');
    return [id, version, sessionId, kind, '', ms, false, '', words].join(fieldEnd);
  };
  return rows.map(pack).join(rowEnd);
}

/**
 * Parses rows as the database packs them: id, version, session, kind, speaker, time, forgotten, vector in base64, text. Throws when a row
 * has another number of fields. Reads bytes, because strings cut from a string would keep all of it in memory.
 */
export function unpackRows(packed: string): Loaded[] {
  if (packed === '') return [];
  const rows: Loaded[] = [];
  const bytes = Buffer.from(packed);
  const starts = new Int32Array(FIELDS.length + 1);
  const field = (number: number) => bytes.toString('utf8', starts[number], (starts[number + 1] ?? 0) - 1);
  let count = 0;
  for (let i = 0; i <= bytes.length; i += 1) {
    const byte = i === bytes.length ? ROW_END : bytes[i];
    if (byte !== ROW_END && byte !== FIELD_END) continue;
    count += 1;
    starts[count] = i + 1;
    if (byte !== ROW_END) continue;
    if (count !== FIELDS.length) throw new Error(`a packed row has ${count} fields`);
    rows.push(readRow(field, starts));
    count = 0;
    starts[0] = i + 1;
  }
  return rows;
}

function readRow(field: (number: number) => string, starts: Int32Array): Loaded {
  const isEmpty = (number: number) => (starts[number + 1] ?? 0) - (starts[number] ?? 0) === 1;
  return {
    id: field(at.id),
    sessionId: field(at.session),
    kind: field(at.kind) as Loaded['kind'],
    speaker: isEmpty(at.speaker) ? null : field(at.speaker),
    text: field(at.text),
    at: Number(field(at.at)),
    forgotten: field(at.forgotten) === 'true',
    ...(isEmpty(at.vector) ? {} : { vector: new Int8Array(Buffer.from(field(at.vector), 'base64')) }),
  };
}
