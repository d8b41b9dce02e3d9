import { createReadStream } from 'node:fs';
import type { FileKind } from '@atelier/contract/files';
import { AppError } from '../../platform/errors.ts';
import { type Extracted, type ExtractOptions, extractDocument } from '../../platform/extraction/extract.ts';
import { Unreadable } from '../../platform/extraction/unreadable.ts';
import { createGate } from '../../platform/gate.ts';
import type { Received } from '../../platform/http/upload.ts';
import type { Log } from '../../platform/log.ts';
import { checkType } from '../files/file-names.service.ts';

/** Somebody waits for it, so it takes less time than a file of an agent. */
const READING_MS = 30_000;
/** Recognizing text in scanned pages takes longer. */
const RECOGNIZING_MS = 90_000;
/** How much text of one attachment is kept, in characters; no model reads more at once. */
const TEXT_MAX = 400_000;
const NOTE_MAX = 2_000;

/** Each reader is a process of its own; an account uploads three files at a time, so the wait stays short. */
const reading = createGate({ atOnce: 2, waiting: 100 });

/** The type and text of an uploaded file. 415 with a sentence when it can't be read. */
export async function readText(log: Log, name: string, { path, head }: Pick<Received, 'path' | 'head'>) {
  const { kind, type } = checkType(name, head);
  const read = await reading
    .run(() => extract(kind, path, (reason) => log.info('attachments.recognition_failed', { reason })))
    .catch((error: unknown) => {
      if (error instanceof Unreadable) throw new AppError('unsupported_type', error.message, { field: 'file' });
      throw error;
    });
  const text = textOf(read.passages);
  if (text === '') throw new AppError('unsupported_type', 'There is no text in this file.', { field: 'file' });
  const kept = text.slice(0, TEXT_MAX).toWellFormed();
  const only = kept.length < text.length ? `${TEXT_MAX.toLocaleString('en-US')} characters` : read.only;
  const note = [...(only === null ? [] : [`Only the first ${only} were read.`]), ...read.notes].join(' ');
  return {
    name,
    type,
    kind: 'file' as const,
    width: null,
    height: null,
    text: kept,
    note: note === '' ? null : note.slice(0, NOTE_MAX),
  };
}

async function extract(kind: FileKind, path: string, onFailure: ExtractOptions['onFailure']): Promise<Extracted> {
  const first = await extractDocument(kind, createReadStream(path), { timeoutMs: READING_MS, recognize: 'later' });
  if (!first.pictures) return first;
  try {
    return await extractDocument(kind, createReadStream(path), {
      timeoutMs: RECOGNIZING_MS,
      recognize: 'now',
      onFailure,
    });
  } catch (error) {
    if (!(error instanceof Unreadable) || kind === 'picture') throw error;
    return extractDocument(kind, createReadStream(path), { timeoutMs: READING_MS, recognize: 'never' });
  }
}

/** The passages as one text; each place is named once. */
function textOf(passages: Extracted['passages']): string {
  let last = '';
  return passages
    .map(({ place, text }) => {
      const named = place === last || place === '' ? text : `[${place}]\n${text}`;
      last = place;
      return named;
    })
    .join('\n\n')
    .replaceAll('\0', '');
}
