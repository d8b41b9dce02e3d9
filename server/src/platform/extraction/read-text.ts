import { decodeText, linesIn } from './decode-text.ts';
import type { Document, Section } from './passages.ts';

const LINES_A_SECTION = 40;

/** Plain text and source code, in ranges of lines. */
export function readPlain(data: Uint8Array): Document {
  const text = decodeText(data);
  return { sections: () => rangesOf(text) };
}

function* rangesOf(text: string): Iterable<Section> {
  let [number, first, from] = [0, 1, 0];
  const section = (end: number) => ({ place: `lines ${first}–${number}`, text: text.slice(from, end) });
  for (const { start } of linesIn(text)) {
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
  for (const { line, start } of linesIn(text)) {
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

/** Subtitles (SRT or WebVTT): what is said, by time. */
export function readSubtitles(data: Uint8Array): Document {
  const text = decodeText(data);
  return { sections: () => minutesOf(text) };
}

const CUE = /^(?<from>[\d:]{4,12})[.,]\d{1,3}\s+-->\s+(?<to>[\d:]{4,12})[.,]\d{1,3}/;
const CUES_A_SECTION = 12;

function* minutesOf(text: string): Iterable<Section> {
  let [from, to, spoken, cues] = ['', '', '', 0];
  for (const { line } of linesIn(text)) {
    const cue = CUE.exec(line.slice(0, 100).trim())?.groups;
    if (cue === undefined) {
      // Cues are numbered; a number alone belongs to the next.
      if (cues > 0 && !/^\d*$/.test(line.slice(0, 100).trim())) spoken += `${line.replaceAll(/<[^<>]{0,100}>/g, '')}\n`;
      continue;
    }
    if (cues === CUES_A_SECTION) {
      yield { place: `${from}–${to}`, text: spoken };
      [spoken, cues] = ['', 0];
    }
    if (cues === 0) from = cue.from ?? '';
    to = cue.to ?? '';
    cues += 1;
  }
  if (cues > 0) yield { place: `${from}–${to}`, text: spoken };
  // Without a single cue it is text all the same.
  else yield* rangesOf(text);
}
