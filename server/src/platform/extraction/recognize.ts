import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { renderPageAsImage } from 'unpdf';
import type { PDFDocumentProxy } from 'unpdf/pdfjs';
import type { Document } from './passages.ts';
import type { Failed, ReadOptions } from './read-options.ts';
import { Unreadable } from './unreadable.ts';

/** Text is recognized best at about 150 dots an inch, and a picture must fit into memory. */
const SCALE = 2;
const PIXELS_MAX = 12_000_000;
/** How sure text recognition is of a text that lies upright, and at least of one that people can read, in percent. */
const SURE = 75;
const READABLE = 60;

/** Where the data of English lies, with which other Latin letters are read too, less well. */
const dataFolder = () =>
  join(dirname(createRequire(import.meta.url).resolve('@tesseract.js-data/eng/package.json')), '4.0.0_best_int');

/** Text recognition; undefined where its optional packages are missing or can't be loaded. */
export async function createRecognizer(failed: Failed) {
  try {
    const { createWorker } = await import('tesseract.js');
    const options = { langPath: dataFolder(), cacheMethod: 'none', errorHandler: () => {} };
    const worker = await createWorker('eng', 1, options);
    const recognize = async (picture: Buffer) => {
      const { text = '', confidence = 0 } = (await worker.recognize(picture).catch(failed))?.data ?? {};
      return /\p{L}{2}|\d/u.test(text) ? { text: text.trim(), confidence } : { text: '', confidence: 0 };
    };
    let upright = 0;
    return {
      /** Empty for a picture without text, or one that can't be opened. */
      read: async (picture: Buffer): Promise<string> => {
        let best = { text: '', confidence: 0 };
        // The next page lies as this one does, most likely.
        for (const turns of new Set([upright, 0, 1, 3, 2])) {
          const turned = turns === 0 ? picture : await turn(picture, turns).catch(failed);
          if (!(turned instanceof Buffer)) continue;
          const read = await recognize(turned);
          if (read.confidence > best.confidence) [best, upright] = [read, turns];
          if (best.confidence > SURE) break;
        }
        // Of a photograph it makes a few letters that nobody wrote.
        return best.confidence > READABLE ? best.text : '';
      },
      end: async () => void (await worker.terminate()),
    };
  } catch (error) {
    failed(error);
    return undefined;
  }
}

/** A picture turned by quarters. */
async function turn(picture: Buffer, quarters: number): Promise<Buffer> {
  const { createCanvas, loadImage } = await import('@napi-rs/canvas');
  const image = await loadImage(picture);
  const scale = Math.min(1, Math.sqrt(PIXELS_MAX / (image.width * image.height)));
  const [width, height] = [Math.ceil(image.width * scale), Math.ceil(image.height * scale)];
  const canvas = quarters === 2 ? createCanvas(width, height) : createCanvas(height, width);
  const pen = canvas.getContext('2d');
  pen.translate(canvas.width / 2, canvas.height / 2);
  pen.rotate((quarters * Math.PI) / 2);
  pen.drawImage(image, -width / 2, -height / 2, width, height);
  return canvas.toBuffer('image/png');
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
