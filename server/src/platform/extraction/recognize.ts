import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { renderPageAsImage } from 'unpdf';
import type { PDFDocumentProxy } from 'unpdf/pdfjs';
import type { Document } from './passages.ts';
import type { Failed, ReadOptions } from './read-options.ts';
import { Unreadable } from './unreadable.ts';

/** How long the pages of one document may take together. */
export const RECOGNITION_MS = 8 * 60 * 1000;
/** Text is recognized best at about 150 dots an inch, and a picture must fit into memory. */
const SCALE = 2;
const PIXELS_MAX = 12_000_000;

/** Reads the text of pictures. */
export interface Recognizer {
  /** Empty for a picture without text, or one that can't be opened. */
  read(picture: Buffer): Promise<string>;
  end(): Promise<void>;
}

/** Where the data of English lies, with which other Latin letters are read too, less well. */
const dataFolder = () =>
  join(dirname(createRequire(import.meta.url).resolve('@tesseract.js-data/eng/package.json')), '4.0.0_best_int');

/** Text recognition; undefined where its optional packages are missing or can't be loaded. */
export async function createRecognizer(failed: Failed): Promise<Recognizer | undefined> {
  try {
    const { createWorker } = await import('tesseract.js');
    const options = { langPath: dataFolder(), cacheMethod: 'none', errorHandler: () => {} };
    const worker = await createWorker('eng', 1, options);
    return {
      read: async (picture) => {
        const result = await worker.recognize(picture).catch(failed);
        const { text = '', confidence = 0 } = result?.data ?? {};
        // Of a photograph it makes a few letters that nobody wrote.
        return confidence > 30 && /\p{L}{2}|\d/u.test(text) ? text.trim() : '';
      },
      end: async () => void (await worker.terminate()),
    };
  } catch (error) {
    failed(error);
    return undefined;
  }
}

/** A page as a picture. */
export async function pictureOfPage(pdf: PDFDocumentProxy, number: number): Promise<Buffer> {
  const { width, height } = (await pdf.getPage(number)).getViewport({ scale: 1 });
  const scale = Math.min(SCALE, Math.sqrt(PIXELS_MAX / (width * height)));
  const picture = await renderPageAsImage(pdf, number, { canvasImport: () => import('@napi-rs/canvas'), scale });
  return Buffer.from(picture);
}

/** The text in a picture. */
export async function readPicture(
  data: Uint8Array,
  { progress, failed }: Pick<ReadOptions, 'progress' | 'failed'>,
): Promise<Document> {
  const recognizer = await createRecognizer(failed);
  if (recognizer === undefined) {
    throw new Unreadable('This is a picture, and this installation has no text recognition.');
  }
  progress('recognizing text');
  const text = await recognizer.read(Buffer.from(data.buffer, data.byteOffset, data.byteLength));
  await recognizer.end();
  if (text === '') throw new Unreadable('No text was recognized in this picture.');
  return {
    sections: () => [{ place: 'picture', text }],
    notes: ['This is a picture of text; recognized words may be wrong.'],
  };
}
