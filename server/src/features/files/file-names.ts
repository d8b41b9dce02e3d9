import { FILE_LIMITS, FILE_SENTENCES, fileTypeOf } from '@atelier/contract/files';
import { AppError } from '../../platform/errors.ts';
import { dropEnd } from '../../platform/trim.ts';

const REDUCED_MAX = 80;

/** The name's part of a key: `[a-z0-9._-]`, at most 80 characters, with its extension. */
export function reducedName(name: string): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replaceAll(/\.{2,}/g, '.')
    .replaceAll(/-{2,}/g, '-')
    .replace(/^[.-]+/, '');
  const dot = plain.lastIndexOf('.');
  const ending = dot > 0 ? plain.slice(dot).slice(0, 16) : '';
  const stem = dropEnd((dot > 0 ? plain.slice(0, dot) : plain).slice(0, REDUCED_MAX - ending.length), /[.-]/);
  return `${stem || 'file'}${ending}`;
}

/** The name for people: without control characters, and not too long. */
export function shownName(name: string): string {
  const visible = name
    .toWellFormed()
    // Control and direction characters could make a name look like another.
    .replaceAll(/[\p{Cc}\p{Cf}]+/gu, '')
    .trim();
  return visible.length > FILE_LIMITS.name ? visible.slice(-FILE_LIMITS.name) : visible;
}

/** The type on which a file's name and first bytes agree; 415 when they disagree or the type is not supported. */
export function checkType(name: string, head: Buffer) {
  const type = fileTypeOf(name);
  if (type === undefined) throw new AppError('unsupported_type', FILE_SENTENCES.unsupported, { field: 'file' });
  const really = looksLike(head);
  const wanted = type.kind === 'pdf' || type.kind === 'docx' ? type.kind : 'text';
  if (really === (wanted === 'docx' ? 'zip' : wanted)) return type;
  const what = { pdf: 'a PDF', zip: 'an archive or Office document', text: 'text', binary: 'something else' }[really];
  throw new AppError('unsupported_type', `The content of this file does not match its name: it is ${what}.`, {
    field: 'file',
  });
}

function looksLike(head: Buffer): 'pdf' | 'zip' | 'text' | 'binary' {
  if (head.subarray(0, 1024).includes('%PDF-')) return 'pdf';
  if (head.subarray(0, 4).toString('latin1') === 'PK\u0003\u0004') return 'zip';
  const marked = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff);
  return !marked && head.includes(0) ? 'binary' : 'text';
}
