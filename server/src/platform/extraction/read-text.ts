import Papa from 'papaparse';
import type { Section } from './passages.ts';
import { decodeText, Unreadable } from './unreadable.ts';

const LINES_A_SECTION = 40;
const ROWS_A_SECTION = 10;
const DEPTH_MAX = 100;

/** Plain text, in ranges of lines. */
export function readPlain(data: Uint8Array): Section[] {
  const lines = decodeText(data).split(/\r?\n/);
  const sections: Section[] = [];
  for (let at = 0; at < lines.length; at += LINES_A_SECTION) {
    const end = Math.min(at + LINES_A_SECTION, lines.length);
    sections.push({ place: `lines ${at + 1}–${end}`, text: lines.slice(at, end).join('\n') });
  }
  return sections;
}

/** Markdown, a section a heading; a heading inside of a code block is none. */
export function readMarkdown(data: Uint8Array): Section[] {
  const sections: Section[] = [{ place: 'beginning', text: '' }];
  let fenced = false;
  for (const line of decodeText(data).split(/\r?\n/)) {
    if (/^\s*(?:```|~~~)/.test(line)) fenced = !fenced;
    const heading = fenced ? undefined : /^#{1,6}\s+(?<title>\S.*)$/.exec(line.slice(0, 500))?.groups?.title;
    if (heading !== undefined) sections.push({ place: `“${heading.replace(/\s#+\s*$/, '').slice(0, 80)}”`, text: '' });
    const last = sections.at(-1);
    if (last !== undefined) last.text += `${line}\n`;
  }
  return sections;
}

/** A table: each row with the names of its columns, so that a row is understood by itself. */
export function readCsv(data: Uint8Array): Section[] {
  const { data: rows } = Papa.parse<string[]>(decodeText(data), { skipEmptyLines: 'greedy' });
  const [names = [], ...rest] = rows;
  if (rest.length === 0) return [{ place: 'row 1', text: names.join('; ') }];
  const sections: Section[] = [];
  for (let at = 0; at < rest.length; at += ROWS_A_SECTION) {
    const some = rest.slice(at, at + ROWS_A_SECTION);
    const text = some.map((row) => row.map((cell, i) => `${names[i] ?? `column ${i + 1}`}: ${cell}`).join('; '));
    sections.push({ place: `rows ${at + 2}–${at + 1 + some.length}`, text: text.join('\n\n') });
  }
  return sections;
}

/** JSON: every value with its path, in sections of neighbours. */
export function readJson(data: Uint8Array): Section[] {
  let value: unknown;
  try {
    value = JSON.parse(decodeText(data));
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    throw new Unreadable('This file is not valid JSON.');
  }
  const lines: { path: string; line: string }[] = [];
  collect(value, '$', 0, lines);
  const sections: Section[] = [];
  for (let at = 0; at < lines.length; at += LINES_A_SECTION) {
    const some = lines.slice(at, at + LINES_A_SECTION);
    sections.push({ place: some[0]?.path.slice(0, 120) ?? '$', text: some.map(({ line }) => line).join('\n') });
  }
  return sections;
}

function collect(value: unknown, path: string, depth: number, lines: { path: string; line: string }[]): void {
  if (depth > DEPTH_MAX) throw new Unreadable(`This JSON is nested deeper than ${DEPTH_MAX} levels.`);
  if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) collect(item, `${path}[${i}]`, depth + 1, lines);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) collect(item, `${path}.${key}`, depth + 1, lines);
  } else {
    lines.push({ path, line: `${path.slice(2) || 'value'}: ${String(value)}` });
  }
}
