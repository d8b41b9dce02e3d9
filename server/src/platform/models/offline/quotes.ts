import type { Sentence } from './gather.ts';

const QUOTE_MAX = 400;

/** A sentence with its source: “You told me in this session: “…””. */
export function cite({ text, source }: Sentence, now: Date): string {
  return `${origin(source, now)}: ${quote(text)}`;
}

/** In quotation marks on one line; Markdown or HTML stays plain text. */
export function quote(text: string): string {
  const points = Array.from(text.replace(/\s+/g, ' ').trim());
  const cut = points.length > QUOTE_MAX ? `${points.slice(0, QUOTE_MAX - 1).join('')}…` : points.join('');
  return `“${escapeMarkdown(cut)}”`;
}

export const escapeMarkdown = (text: string) => text.replace(/[\\`*[\]<>|~]|(?<!\w)_|_(?!\w)/g, (mark) => `\\${mark}`);

function origin({ by, sameSession, sessionName, timestamp }: Sentence['source'], now: Date): string {
  if (by === 'prompt') return 'My instructions say';
  if (by === 'fact') return 'From your corrected facts';
  if (by === 'file') return `From the file “${escapeMarkdown(sessionName)}”`;
  if (sameSession) return by === 'person' ? 'You told me in this session' : 'I answered in this session';
  const where = `From “${escapeMarkdown(sessionName)}”, ${dayOf(timestamp, now)}`;
  return by === 'person' ? where : `${where}, my own answer`;
}

function dayOf(timestamp: string, now: Date): string {
  const day = new Date(timestamp);
  if (Number.isNaN(day.getTime())) return 'earlier';
  const year = day.getUTCFullYear() === now.getUTCFullYear() ? undefined : 'numeric';
  return new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year, timeZone: 'UTC' }).format(day);
}
