import type { ToolCall } from '@atelier/contract/tools';

const SHORT = 80;

function oneLine(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  const flat = text.replaceAll(/\s+/g, ' ').trim();
  const points = Array.from(flat.slice(0, SHORT * 2 + 2));
  return points.length > SHORT ? `${points.slice(0, SHORT - 1).join('')}…` : flat;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A call's input on one line: its one value, or all of it. */
export function callInputText({ input }: ToolCall): string {
  if (!isRecord(input)) return input === undefined || input === null ? '' : oneLine(input);
  const values = Object.values(input);
  return values.length === 0 ? '' : oneLine(values.length === 1 ? values[0] : input);
}

/** A call's result on one line. */
export function resultText({ state, output, question, ms }: ToolCall): string {
  if (state === 'running') return 'running';
  if (state === 'waiting') return 'waits for you';
  // It waited for approval and never ran; its sentence is written for the model.
  if (state === 'failed' && question && ms === undefined) return 'not allowed';
  if (!isRecord(output)) return oneLine(output ?? '');
  const { value, console: written, title, time, timeZone, passages, memories } = output;
  if (typeof time === 'string') return oneLine(`${time.slice(0, 5)} ${String(timeZone ?? '')}`);
  if (Array.isArray(passages)) return counted(passages.length, 'passage');
  if (Array.isArray(memories)) return counted(memories.length, 'memory', 'memories');
  if (typeof title === 'string' && title !== '') return oneLine(title);
  if (value !== undefined && value !== null) return oneLine(value);
  if (typeof written === 'string') return oneLine(written);
  return oneLine(output);
}

const counted = (n: number, one: string, many = `${one}s`) => `${n} ${n === 1 ? one : many}`;

/** `340 ms`, `2.1 s`; empty while it runs. */
export function durationText({ ms }: ToolCall): string {
  if (ms === undefined) return '';
  return ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/** Invisible characters could hide what is sent, or reverse its order. */
const UNSEEN = /[\p{Cf}\p{Co}\p{Cs}]|(?![\n\t])\p{Cc}/gu;

/** A value as shown in an opened line; invisible characters appear as their number. */
export const wholeText = (value: unknown): string =>
  (typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '')).replaceAll(
    UNSEEN,
    (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`,
  );
