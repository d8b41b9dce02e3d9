import Papa from 'papaparse';
import type { Document, Section } from './passages.ts';
import { decodeText, Unreadable } from './unreadable.ts';

const LINES_A_SECTION = 40;
const ROWS_A_SECTION = 10;
const ROWS_MAX = 200_000;
/** How much of a column's name is shown with each of its values. */
const NAME_MAX = 80;
/** How much of a value's path is shown; its end says most. */
const PATH_MAX = 200;
const DEPTH_MAX = 100;

/** Each line with its position. An array of all lines would take many times the memory of the text. */
function* linesOf(text: string): Iterable<{ line: string; start: number }> {
  for (let start = 0; ; ) {
    const end = text.indexOf('\n', start);
    yield { line: end < 0 ? text.slice(start) : text.slice(start, end), start };
    if (end < 0) return;
    start = end + 1;
  }
}

/** Plain text, in ranges of lines. */
export function readPlain(data: Uint8Array): Document {
  const text = decodeText(data);
  return { sections: () => rangesOf(text) };
}

function* rangesOf(text: string): Iterable<Section> {
  let [number, first, from] = [0, 1, 0];
  const section = (end: number) => ({ place: `lines ${first}–${number}`, text: text.slice(from, end) });
  for (const { start } of linesOf(text)) {
    if (number - first + 1 === LINES_A_SECTION) {
      yield section(start);
      [first, from] = [number + 1, start];
    }
    number += 1;
  }
  yield section(text.length);
}

/** Markdown, one section per heading, ignoring headings inside code blocks. */
export function readMarkdown(data: Uint8Array): Document {
  const text = decodeText(data);
  return { sections: () => sectionsOf(text) };
}

function* sectionsOf(text: string): Iterable<Section> {
  let [place, from, fenced] = ['beginning', 0, false];
  for (const { line, start } of linesOf(text)) {
    const begin = line.slice(0, 500);
    if (/^\s*(?:```|~~~)/.test(begin)) fenced = !fenced;
    const heading = fenced ? undefined : /^#{1,6}\s+(?<title>\S.*)$/.exec(begin.trimEnd())?.groups?.title;
    if (heading === undefined) continue;
    yield { place, text: text.slice(from, start) };
    [place, from] = [`“${withoutClosing(heading).slice(0, 80)}”`, start];
  }
  yield { place, text: text.slice(from) };
}

/** `## Setup ##` is named “Setup”. */
function withoutClosing(heading: string): string {
  let end = heading.length;
  while (heading[end - 1] === '#') end -= 1;
  return end < heading.length && /\s/.test(heading[end - 1] ?? '') ? heading.slice(0, end).trimEnd() : heading;
}

/** A table: each row with its column names, so that it can be understood alone. */
export function readCsv(data: Uint8Array): Document {
  const { data: rows } = Papa.parse<string[]>(decodeText(data), { skipEmptyLines: 'greedy', preview: ROWS_MAX + 2 });
  const [names = [], ...rest] = rows;
  if (rest.length === 0) return { sections: () => [{ place: 'row 1', text: names.join('; ') }] };
  const shown = names.map((name) => name.slice(0, NAME_MAX));
  const cut = rest.length > ROWS_MAX;
  if (cut) rest.length = ROWS_MAX;
  return {
    sections: () => rowsOf(shown, rest),
    only: cut ? `${ROWS_MAX.toLocaleString('en')} rows` : undefined,
  };
}

function* rowsOf(names: string[], rows: string[][]): Iterable<Section> {
  for (let at = 0; at < rows.length; at += ROWS_A_SECTION) {
    const some = rows.slice(at, at + ROWS_A_SECTION);
    const text = some.map((row) => row.map((cell, i) => `${names[i] ?? `column ${i + 1}`}: ${cell}`).join('; '));
    yield { place: `rows ${at + 2}–${at + 1 + some.length}`, text: text.join('\n\n') };
  }
}

/** JSON: every value with its path, in sections of neighbours. */
export function readJson(data: Uint8Array): Document {
  let value: unknown;
  try {
    value = JSON.parse(decodeText(data));
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    throw new Unreadable('This file is not valid JSON.');
  }
  return { sections: () => valuesOf(value) };
}

function* valuesOf(value: unknown): Iterable<Section> {
  let some: { path: string; line: string }[] = [];
  const section = () => ({ place: some[0]?.path.slice(0, 120) ?? '$', text: some.map(({ line }) => line).join('\n') });
  for (const entry of leavesOf(value, '$', 0)) {
    some.push(entry);
    if (some.length < LINES_A_SECTION) continue;
    yield section();
    some = [];
  }
  if (some.length > 0) yield section();
}

function* leavesOf(value: unknown, path: string, depth: number): Iterable<{ path: string; line: string }> {
  if (depth > DEPTH_MAX) throw new Unreadable(`This JSON is nested deeper than ${DEPTH_MAX} levels.`);
  if (typeof value !== 'object' || value === null) {
    const shown = path.replace(/^\$\.?/, '') || 'value';
    const name = shown.length > PATH_MAX ? `…${shown.slice(1 - PATH_MAX)}` : shown;
    yield { path, line: `${name}: ${String(value)}` };
    return;
  }
  if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) yield* leavesOf(item, `${path}[${i}]`, depth + 1);
    return;
  }
  for (const [key, item] of Object.entries(value)) yield* leavesOf(item, `${path}.${key}`, depth + 1);
}
