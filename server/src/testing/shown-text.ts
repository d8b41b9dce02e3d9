import type { DocumentKind } from '../platform/extraction/extract.ts';
import { cutIntoPassages } from '../platform/extraction/passages.ts';
import { readDocument } from '../platform/extraction/read-document.ts';

/** What is read of a document, in this process and without recognizing text, a line each. */
export async function shownText(kind: DocumentKind, data: Uint8Array | string): Promise<string> {
  const bytes = new Uint8Array(typeof data === 'string' ? Buffer.from(data) : data);
  const failed = (error: unknown) => {
    throw error;
  };
  const options = { recognize: 'never' as const, progress: () => {}, failed };
  const { passages } = cutIntoPassages((await readDocument(kind, bytes, options)).sections);
  return passages.map(({ text }) => text.replaceAll('\n\n', '\n')).join('\n');
}
