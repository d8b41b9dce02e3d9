import { detect } from 'chardet';
import { Unreadable } from './unreadable.ts';

/** How much of a text its encoding is detected from. */
const SAMPLE = 256 * 1024;
/** Old programs leave a few control characters in texts; other files are full of them. */
const CONTROLS_MAX = 0.01;
const NO_TEXT = 'The content of this file does not match its name: it contains bytes that text never has.';
/** What Japanese letters follow in ISO-2022-JP, all of whose bytes are ASCII. */
const JAPANESE = ['\u001b$B', '\u001b$@', '\u001b(J'];
const MARKS: [number[], string][] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
];

/**
 * The text of bytes in any usual encoding: the one of its byte order mark, else ISO-2022-JP or UTF-8 where it fits, else the one that the
 * document itself declares, else the most likely one. Throws Unreadable for bytes that are no text.
 */
export function decodeText(data: Uint8Array): string {
  const text = decode(data);
  if (text.includes('\0') || controls(text) > CONTROLS_MAX) throw new Unreadable(NO_TEXT);
  return text;
}

function decode(data: Uint8Array): string {
  const marked = MARKS.find(([mark]) => mark.every((byte, at) => data[at] === byte))?.[1] ?? wide(data);
  if (marked !== undefined) return new TextDecoder(marked).decode(data);
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const isJapanese = JAPANESE.some((escape) => bytes.includes(escape));
  const strict = (isJapanese ? decodeStrictly(data, 'iso-2022-jp') : undefined) ?? decodeStrictly(data, 'utf-8');
  if (strict !== undefined) return strict;
  const encoding = declared(data) ?? detect(sampleOf(data)) ?? 'windows-1252';
  return (decoderOf(encoding) ?? new TextDecoder('windows-1252')).decode(data);
}

/** Undefined for bytes that the encoding doesn't have. */
function decodeStrictly(data: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(data);
  } catch {
    return undefined;
  }
}

/** UTF-16 without a mark: of mostly Latin text, every other byte is zero. */
function wide(data: Uint8Array): string | undefined {
  const head = data.subarray(0, 2_000);
  const zeros = [0, 0];
  for (const [at, byte] of head.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (odd > head.length / 4 && even === 0) return 'utf-16le';
  return even > head.length / 4 && odd === 0 ? 'utf-16be' : undefined;
}

/** What a web page or XML document says about itself near its beginning. */
function declared(data: Uint8Array): string | undefined {
  const head = Buffer.from(data.subarray(0, 2_048)).toString('latin1');
  const label = /(?:charset|encoding)\s{0,5}=\s{0,5}["']?(?<name>[\w.:-]{2,40})/i.exec(head)?.groups?.name;
  return label !== undefined && decoderOf(label) !== undefined ? label : undefined;
}

function decoderOf(encoding: string) {
  try {
    return new TextDecoder(encoding);
  } catch {
    return undefined;
  }
}

/** The part with most letters beyond ASCII says most: a long English beginning would say nothing. */
function sampleOf(data: Uint8Array): Uint8Array {
  const first = data.findIndex((byte) => byte > 0x7f);
  const from = Math.max(0, first - 1_024);
  return data.subarray(from, from + SAMPLE);
}

/** The share of control characters in a text, without spaces and what colours a terminal. */
function controls(text: string): number {
  const sample = text.slice(0, SAMPLE).replaceAll('\u001b', '');
  return (sample.match(/[\p{Cc}--\s]/gv)?.length ?? 0) / Math.max(1, sample.length);
}

/** Each line with its position. An array of all lines would take many times the memory of the text. */
export function* linesIn(text: string): Iterable<{ line: string; start: number }> {
  for (let start = 0; ; ) {
    const end = text.indexOf('\n', start);
    yield { line: end < 0 ? text.slice(start) : text.slice(start, end), start };
    if (end < 0) return;
    start = end + 1;
  }
}
