import JSON5 from 'json5';
import { Composer, type CST, Lexer, LineCounter, Parser } from 'yaml';
import { parsedJson } from '../parsed-json.ts';
import { decodeText, linesIn } from './decode-text.ts';
import type { Document, Section } from './passages.ts';
import { readPlain } from './read-text.ts';
import { Unreadable } from './unreadable.ts';

const VALUES_A_SECTION = 40;
/** How much of a value's path is shown; its end says most. */
const PATH_MAX = 200;
const DEPTH_MAX = 100;

const tooDeep = () => new Unreadable(`This file is nested deeper than ${DEPTH_MAX} levels.`);

/** A whole number with so many digits may be rounded. */
const LONG_NUMBER = /(?<![\d.])\d{16}/;

/** The value of a JSON text, in which numbers that would be rounded stay as they are written; undefined for anything else. */
function valueOf(json: string): unknown {
  // Most texts have none, and are read ten times as fast.
  if (!LONG_NUMBER.test(json)) return parsedJson(json);
  const asWritten = (_key: string, value: unknown, { source }: { source?: string } = {}) =>
    typeof value === 'number' && !Number.isSafeInteger(value) ? (source ?? value) : value;
  try {
    return JSON.parse(json, asWritten);
  } catch {
    return undefined;
  }
}

/** A value of a document with where it stands in it. */
export interface Value {
  path: string;
  line: string;
}

/** JSON: every value with its path, in sections of neighbours; one value on each line, and with comments as it is. */
export function readJson(data: Uint8Array): Document {
  const text = decodeText(data);
  const value = valueOf(text);
  if (value !== undefined) return documentOf([{ path: '$', value }]);
  const records = recordsIn(text);
  if (!('invalid' in records)) return documentOf(records);
  // What its comments say would be lost with its values alone.
  if (isLoose(text)) return readPlain(data);
  throw new Unreadable('This file is not valid JSON.');
}

/** A JSON value on each line, or one in all. */
export function readJsonLines(data: Uint8Array): Document {
  const records = recordsIn(decodeText(data));
  if (!('invalid' in records)) return documentOf(records);
  try {
    return readJson(data);
  } catch {
    throw new Unreadable(`Line ${records.invalid.toLocaleString('en')} of this file is not valid JSON.`);
  }
}

/** A value with all that it contains, and where it stands. */
interface Root {
  path: string;
  value: unknown;
}

/** The value of each line that is not empty, or the number of the first line that has none. */
function recordsIn(text: string): Root[] | { invalid: number } {
  const records: Root[] = [];
  let number = 0;
  for (const { line } of linesIn(text)) {
    number += 1;
    if (line.trim() === '') continue;
    const value = valueOf(line);
    if (value === undefined) return { invalid: number };
    records.push({ path: `line ${number}`, value });
  }
  return records;
}

/** Whether a text is JSON as programs' settings have it: with comments, or a comma after the last value. */
function isLoose(text: string): boolean {
  try {
    JSON5.parse(text);
    return true;
  } catch {
    return false;
  }
}

const documentOf = (roots: Root[]): Document => ({ sections: () => valueSections(valuesBelow(roots)) });

function* valuesBelow(roots: Root[]): Iterable<Value> {
  for (const { path, value } of roots) yield* valuesOf(value, path, 0);
}

/** YAML, also several documents in one file. Its aliases may repeat only so much. */
export function readYaml(data: Uint8Array): Document {
  const lines = new LineCounter();
  const roots: Root[] = [];
  // Of this schema, every value stays as it is written: 0215551234 is a telephone number, and 1.10 a version.
  for (const document of new Composer({ logLevel: 'error', schema: 'failsafe' }).compose(
    yamlTokens(decodeText(data), lines),
  )) {
    const [error] = document.errors;
    if (error !== undefined)
      throw new Unreadable(`This file is not valid YAML (line ${lines.linePos(error.pos[0]).line}).`);
    try {
      roots.push({ path: '$', value: document.toJS({ maxAliasCount: 100 }) });
    } catch {
      throw new Unreadable('The aliases of this YAML repeat too much.');
    }
  }
  return documentOf(roots);
}

/** The documents of a YAML text as tokens. Throws Unreadable as soon as it is nested too deeply, which takes memory to find out later. */
function* yamlTokens(text: string, lines: LineCounter): Generator<CST.Token> {
  const parser = new Parser(lines.addNewLine);
  lines.addNewLine(0);
  for (const lexeme of new Lexer().lex(text)) {
    yield* parser.next(lexeme);
    // The document and the scalar that is being read are on the stack too.
    if (parser.stack.length > DEPTH_MAX + 2) throw tooDeep();
  }
  yield* parser.end();
}

/** Where values stand: in a range of lines, otherwise at the first's path. */
function placeOf(some: Value[]): string {
  const first = some[0]?.path ?? '$';
  const [from, to] = [first, some.at(-1)?.path ?? ''].map((path) => /^line (\d+)/.exec(path)?.[1]);
  return from === to || to === undefined ? first.slice(0, 120) : `lines ${from}–${to}`;
}

/** Values in sections of neighbours. */
export function* valueSections(values: Iterable<Value>): Iterable<Section> {
  let some: Value[] = [];
  const section = () => ({ place: placeOf(some), text: some.map(({ line }) => line).join('\n') });
  for (const value of values) {
    some.push(value);
    if (some.length < VALUES_A_SECTION) continue;
    yield section();
    some = [];
  }
  if (some.length > 0) yield section();
}

function* valuesOf(value: unknown, path: string, depth: number): Iterable<Value> {
  if (depth > DEPTH_MAX) throw tooDeep();
  if (!isObject(value)) {
    yield { path, line: `${shownPath(path) || 'value'}: ${String(value)}` };
    return;
  }
  if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) {
      const record = recordOf(item);
      if (record === undefined) yield* valuesOf(item, `${path}[${i}]`, depth + 1);
      else yield { path: `${path}[${i}]`, line: record };
    }
    return;
  }
  const record = path.startsWith('line ') ? recordOf(value) : undefined;
  if (record !== undefined) return void (yield { path, line: record });
  for (const [key, item] of Object.entries(value)) yield* valuesOf(item, `${path}.${key}`, depth + 1);
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** `service: Roof repair; price: 480`: an object of plain values is a row, which is understood alone. */
function recordOf(value: unknown): string | undefined {
  if (!isObject(value) || Array.isArray(value)) return undefined;
  const entries = Object.entries(value);
  if (entries.length === 0 || entries.some(([, item]) => isObject(item))) return undefined;
  return entries.map(([key, item]) => `${key.slice(0, PATH_MAX)}: ${String(item)}`).join('; ');
}

/** A path without its root, and no longer than people read. */
export function shownPath(path: string): string {
  const shown = path.replace(/^\$\.?/, '');
  return shown.length > PATH_MAX ? `…${shown.slice(1 - PATH_MAX)}` : shown;
}
