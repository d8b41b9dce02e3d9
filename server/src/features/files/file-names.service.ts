import { FILE_LIMITS, FILE_SENTENCES, type FileKind, fileTypeOf, refusal } from '@atelier/contract/files';
import { cleanName } from '@atelier/contract/names/names';
import { AppError } from '../../platform/errors.ts';
import type { Received } from '../../platform/http/upload.ts';
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

/** The name for people: clean, and of a long one the end, which says what kind of file it is. */
export const shownName = (name: string, max: number = FILE_LIMITS.name, other = 'file'): string =>
  cleanName(cleanName(name.toWellFormed()).slice(-max).toWellFormed()) || other;

const OLD_OR_PROTECTED =
  'This document is protected by a password, or in an old Office format. Save it without a password as docx, xlsx or pptx and upload it again.';

/** What each kind of file begins with; the others are text. */
const BEGINNINGS: Partial<Record<FileKind, Beginning>> = {
  pdf: 'pdf',
  docx: 'zip',
  xlsx: 'zip',
  pptx: 'zip',
  odt: 'zip',
  ods: 'zip',
  odp: 'zip',
  epub: 'zip',
  picture: 'picture',
};
const WORDS = {
  pdf: 'a PDF',
  zip: 'an archive or Office document',
  picture: 'a picture',
  text: 'text',
  binary: 'something else',
} as const;

/** The type on which a file's name and first bytes agree; 400 for an empty file, 415 when they disagree or the type is not supported. */
export function checkType({ name, size, head }: Pick<Received, 'name' | 'size' | 'head'>) {
  const refuse = (sentence: string) =>
    new AppError(size === 0 ? 'invalid_input' : 'unsupported_type', sentence, { field: 'file' });
  const type = fileTypeOf(name);
  if (size === 0 || type === undefined) throw refuse(refusal({ name, size }) ?? FILE_SENTENCES.unsupported);
  const really = beginningOf(head);
  if (really === (BEGINNINGS[type.kind] ?? 'text')) return type;
  if (really === 'ole') throw refuse(OLD_OR_PROTECTED);
  const other = otherMedia(head);
  if (other !== undefined) throw refuse(FILE_SENTENCES[other]);
  throw refuse(`The content of this file does not match its name: it is ${WORDS[really]}.`);
}

type Beginning = keyof typeof WORDS | 'ole';
const PICTURES = [[0x89, 0x50, 0x4e, 0x47], [0xff, 0xd8, 0xff], [...Buffer.from('RIFF')], [...Buffer.from('GIF8')]];

function beginningOf(head: Buffer): Beginning {
  const begins = (bytes: number[]) => bytes.every((byte, at) => head[at] === byte);
  if (head.subarray(0, 1024).includes('%PDF-')) return 'pdf';
  if (begins([0x50, 0x4b, 3, 4])) return 'zip';
  if (begins([0xd0, 0xcf, 0x11, 0xe0])) return 'ole';
  // A bitmap begins with two letters that text may begin with, and has zeros soon after.
  if (PICTURES.some(begins) || (begins([0x42, 0x4d]) && head.subarray(2, 14).includes(0))) return 'picture';
  return isWide(head) || !head.includes(0) ? 'text' : 'binary';
}

const OTHER_MEDIA = [
  ['otherPicture', /^(?:II\*\0|MM\0\*|.{4}ftyp(?:hei|hev|mif1|msf1|avi[fs]))/s],
  ['sound', /^(?:ID3|OggS|fLaC|\xff[\xfb\xf3\xf2]|RIFF.{4}WAVE|.{4}ftypM4[AB])/s],
  ['film', /^(?:.E\xdf\xa3|RIFF.{4}AVI|.{4}ftyp)/s],
] as const;

/** What a file is whose name says something else: phones send their pictures as `.jpg`. */
const otherMedia = (head: Buffer) => OTHER_MEDIA.find(([, begins]) => begins.test(head.toString('latin1', 0, 16)))?.[0];

/** UTF-16, which has zeros: marked, or every other byte of Latin text. */
function isWide(head: Buffer): boolean {
  if ((head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)) return true;
  const zeros = [0, 1].map((odd) => head.filter((byte, at) => at % 2 === odd && byte === 0).length);
  return Math.min(...zeros) === 0 && Math.max(...zeros) > head.length / 4;
}
