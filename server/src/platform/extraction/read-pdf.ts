import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { getDocumentProxy, getResolvedPDFJS } from 'unpdf';
import type { PDFDocumentProxy, PDFPageProxy } from 'unpdf/pdfjs';
import { z } from 'zod';
import { type Document, type Section, TEXT_MAX } from './passages.ts';
import { type Failed, type ReadOptions, rangesText } from './read-options.ts';
import { createRecognizer, pictureOfPage } from './recognize.ts';
import { Unreadable } from './unreadable.ts';

const PAGES_MAX = 5_000;
const PROGRESS_EVERY = 10;
/** A page whose text is shorter, such as a stamp or a page number over a scan, may be a picture of text. */
const ALMOST_NO_TEXT = 20;

const NOT_HERE = 'text is not recognized here';

/** A PDF, one section per page with its form values and comments; one page at a time, so a long one takes no more memory. */
export async function readPdf(data: Uint8Array, options: ReadOptions): Promise<Document> {
  const { recognize, progress } = options;
  const pdf = await open(data, options.failed);
  const sections: Section[] = [];
  const pictures: number[] = [];
  let characters = 0;
  for (let number = 1; number <= Math.min(pdf.numPages, PAGES_MAX) && characters <= TEXT_MAX; number += 1) {
    const page = await pdf.getPage(number);
    const text = await textOf(page);
    if (text.trim().length < ALMOST_NO_TEXT && (await isPicture(page, text.trim() !== ''))) pictures.push(number);
    sections.push({ place: `page ${number}`, text });
    characters += text.length;
    page.cleanup();
    if (number % PROGRESS_EVERY === 0) progress(`page ${number} of ${pdf.numPages}`);
  }
  const cut = sections.length < pdf.numPages;
  const only = cut ? `${sections.length.toLocaleString('en')} pages` : undefined;
  const document = { sections: () => sections, only };
  if (pictures.length === 0) return document;
  if (recognize === 'later') return { ...document, pictures: true };
  if (recognize === 'never') return { ...document, notes: [without(pictures, sections, NOT_HERE)] };
  return { ...document, notes: await recognizePages(pdf, sections, pictures, options) };
}

async function open(data: Uint8Array, failed: Failed): Promise<PDFDocumentProxy> {
  return await getDocumentProxy(data, { verbosity: 0, ...partsOfPdfJs() }).catch((error: unknown) => {
    if (error instanceof Error && error.name === 'PasswordException') {
      throw new Unreadable('This PDF is protected by a password. Remove the protection and upload it again.');
    }
    if (!(error instanceof Error && error.name === 'InvalidPDFException')) failed(error);
    throw new Unreadable('This PDF is damaged and can’t be read.');
  });
}

/** Where pdf.js finds the character maps of East Asia, the fonts that documents leave out, and what unpacks scans. */
function partsOfPdfJs() {
  const folder = dirname(createRequire(import.meta.url).resolve('pdfjs-parts/package.json'));
  const [cMapUrl, standardFontDataUrl, wasmUrl] = ['cmaps', 'standard_fonts', 'wasm'].map((name) =>
    // It joins them with names of files.
    join(folder, name, '/'),
  );
  return { cMapUrl, standardFontDataUrl, wasmUrl };
}

async function textOf(page: PDFPageProxy): Promise<string> {
  const { items } = await page.getTextContent();
  let text = '';
  for (const item of items) if ('str' in item) text += item.str + (item.hasEOL ? '\n' : item.str === '' ? ' ' : '');
  return joinHyphenated(text) + (await pageNotes(page));
}

/** Joins words that a line breaks, unless they have other hyphens. */
const joinHyphenated = (text: string): string =>
  text.replaceAll(/[-\u00ad\u2010]\n(?<=\p{Ll}.\n)(?<!-\p{L}{0,40}.\n)(?=\p{Ll})/gu, '');

/** Whether a page without text paints anything, or one with some text a picture beside it. */
async function isPicture(page: PDFPageProxy, hasText: boolean): Promise<boolean> {
  const { fnArray } = await page.getOperatorList();
  if (!hasText) return fnArray.length > 0;
  const { OPS } = await getResolvedPDFJS();
  const painted = Object.entries(OPS).flatMap(([name, code]) => (/^paint.*Image/.test(name) ? [code] : []));
  return fnArray.some((code) => painted.includes(code));
}

/** Replaces the text of pages that are pictures; says in sentences what became of them. */
async function recognizePages(
  pdf: PDFDocumentProxy,
  sections: Section[],
  pictures: number[],
  { until = Number.POSITIVE_INFINITY, progress, failed }: ReadOptions,
) {
  const recognizer = await createRecognizer(failed);
  if (recognizer === undefined) return [without(pictures, sections, 'this installation has no text recognition')];
  const [read, empty, late]: number[][] = [[], [], []];
  for (const [at, number] of pictures.entries()) {
    if (Date.now() > until) {
      late?.push(number);
      continue;
    }
    progress(`recognizing text, ${at + 1} of ${pictures.length} ${pictures.length === 1 ? 'page' : 'pages'}`);
    const picture = await pictureOfPage(pdf, number).catch(failed);
    const text = picture instanceof Buffer ? await recognizer.read(picture) : '';
    (text === '' ? empty : read)?.push(number);
    const section = sections[number - 1];
    if (section !== undefined && text !== '') section.text = `${withoutOwnText(section.text, text)}\n${text}`;
  }
  await recognizer.end();
  return notesOf(sections, read ?? [], empty ?? [], late ?? []);
}

/** The lines of a page's own text that its picture doesn't have, too, such as a page's number. */
function withoutOwnText(own: string, recognized: string): string {
  const letters = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
  const alphabet = letters(recognized);
  const lines = own.split('\n').filter((line) => !alphabet.includes(letters(line)));
  return lines.join('\n');
}

function notesOf(sections: Section[], read: number[], empty: number[], late: number[]): string[] {
  const notes: string[] = [];
  if (read.length > 0) {
    notes.push(
      `${pagesText(read)} ${read.length === 1 ? 'is a picture' : 'are pictures'} of text; recognized words may be wrong.`,
    );
  }
  if (late.length > 0) notes.push(without(late, sections, 'there was no time to recognize their text'));
  if (empty.length > 0) notes.push(without(empty, sections, 'no text was recognized in them'));
  return notes;
}

function without(pages: number[], sections: Section[], reason: string): string {
  const [one] = pages;
  const sentence = `${pagesText(pages)} ${pages.length === 1 ? 'is a picture' : 'are pictures'} and could not be read: ${reason}.`;
  const nothing = sections.every(({ text }) => text.trim() === '');
  if (nothing && one !== undefined) throw new Unreadable(`There is no text in this PDF. ${sentence}`);
  return sentence;
}

const pagesText = (pages: number[]) => `${pages.length === 1 ? 'Page' : 'Pages'} ${rangesText(pages)}`;

const words = z.object({ str: z.string() }).optional().catch(undefined);
/** What we use of an annotation, which pdf.js leaves untyped. */
const annotation = z.object({
  subtype: z.string().optional().catch(undefined),
  fieldType: z.string().optional().catch(undefined),
  fieldName: z.string().catch(''),
  alternativeText: z.string().catch(''),
  fieldValue: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .catch(undefined),
  checkBox: z.boolean().optional().catch(undefined),
  radioButton: z.boolean().optional().catch(undefined),
  pushButton: z.boolean().optional().catch(undefined),
  buttonValue: z.string().optional().catch(undefined),
  contentsObj: words,
  titleObj: words,
});
type Annotation = z.infer<typeof annotation>;

const COMMENTS = new Set(['Text', 'FreeText', 'Highlight', 'Underline', 'Squiggly', 'StrikeOut', 'Caret', 'Stamp']);

/** What is filled into a page's form and what people noted on it, a line each. */
async function pageNotes(page: PDFPageProxy): Promise<string> {
  const annotations = await page.getAnnotations().catch(() => []);
  const lines = annotations.flatMap((entry: unknown) => lineOf(annotation.parse(entry)) ?? []);
  return lines.length === 0 ? '' : `\n${[...new Set(lines)].join('\n')}`;
}

function lineOf(note: Annotation): string | undefined {
  if (note.subtype === 'Widget') return fieldLine(note);
  const text = note.contentsObj?.str.trim() ?? '';
  if (text === '' || !COMMENTS.has(note.subtype ?? '')) return undefined;
  const author = note.titleObj?.str.trim() ?? '';
  return `(Comment${author === '' ? '' : ` by ${author}`}: ${text})`;
}

function fieldLine(note: Annotation): string | undefined {
  const name = note.alternativeText.trim() || note.fieldName.trim() || 'Field';
  if (note.pushButton === true) return undefined;
  if (note.checkBox === true)
    return `${name}: ${note.fieldValue === undefined || note.fieldValue === 'Off' ? 'no' : 'yes'}`;
  if (note.radioButton === true) {
    return note.fieldValue !== undefined && note.fieldValue === note.buttonValue
      ? `${name}: ${note.fieldValue}`
      : undefined;
  }
  const value = [note.fieldValue ?? ''].flat().join(', ').trim();
  return value === '' ? undefined : `${name}: ${value}`;
}
