import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { pdfOf } from '../../testing/documents.ts';
import { type DocumentKind, type ExtractOptions, extractDocument } from './extract.ts';

const extract = (kind: DocumentKind, data: Buffer, options?: ExtractOptions) =>
  extractDocument(kind, Readable.from([data]), options);

it('tells how far it is in a long document', async () => {
  const told: string[] = [];
  const pages = Array.from({ length: 25 }, (_, i) => `The text of the page with the number ${i + 1}.`);
  const { passages } = await extract('pdf', pdfOf(pages), { onProgress: (progress) => told.push(progress) });
  expect(passages).toHaveLength(25);
  expect(told).toEqual(['page 10 of 25', 'page 20 of 25']);
});

it('reads a short text without a process, which no time-out ends', async () => {
  const short = Buffer.from('The harbour opens at nine.');
  const { passages } = await extract('plain', short, { size: short.length, timeoutMs: 0 });
  expect(passages.map(({ text }) => text)).toEqual(['The harbour opens at nine.']);
  await expect(extract('plain', short, { timeoutMs: 0 })).rejects.toThrow('took longer than 0 seconds');
});

it('ends a reader when its caller gives up', async () => {
  const stop = new AbortController();
  const reading = extract('plain', Buffer.from('x'), { signal: stop.signal });
  stop.abort(new Error('no longer needed'));
  await expect(reading).rejects.toThrow('no longer needed');
});
