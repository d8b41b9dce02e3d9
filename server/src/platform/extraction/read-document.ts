import type { DocumentKind } from './extract.ts';
import type { OfficeKind } from './office/read-office.ts';
import type { Document } from './passages.ts';
import type { ReadOptions } from './read-options.ts';

const office = (kind: OfficeKind) => async (data: Uint8Array) =>
  (await import('./office/read-office.ts')).readOffice(kind, data);
const flat = (kind: 'fodt' | 'fods' | 'fodp') => async (data: Uint8Array) =>
  (await import('./office/read-office.ts')).readFlat(kind, data);

/** Each reader is loaded only when needed: this process spends most of its life loading. */
const READERS: Record<DocumentKind, (data: Uint8Array, options: ReadOptions) => Promise<Document>> = {
  pdf: async (data, options) => (await import('./read-pdf.ts')).readPdf(data, options),
  picture: async (data, options) => (await import('./recognize.ts')).readPicture(data, options),
  xlsx: async (data) => (await import('./office/read-sheet.ts')).readSheet(data),
  docx: office('docx'),
  pptx: office('pptx'),
  odt: office('odt'),
  ods: office('ods'),
  odp: office('odp'),
  rtf: office('rtf'),
  epub: office('epub'),
  fodt: flat('fodt'),
  fods: flat('fods'),
  fodp: flat('fodp'),
  html: async (data) => (await import('./read-html.ts')).readHtml(data),
  article: async (data) => (await import('./read-html.ts')).readArticle(data),
  mail: async (data, options) =>
    (await import('./read-mail.ts')).readMail(data, (kind, attached) => readDocument(kind, attached, options)),
  csv: async (data) => (await import('./read-rows.ts')).readRows(data),
  xml: async (data) => (await import('./read-xml.ts')).readXml(data),
  notebook: async (data) => (await import('./read-notebook.ts')).readNotebook(data),
  json: async (data) => (await import('./read-values.ts')).readJson(data),
  jsonl: async (data) => (await import('./read-values.ts')).readJsonLines(data),
  yaml: async (data) => (await import('./read-values.ts')).readYaml(data),
  markdown: async (data) => (await import('./read-text.ts')).readMarkdown(data),
  subtitles: async (data) => (await import('./read-text.ts')).readSubtitles(data),
  plain: async (data) => (await import('./read-text.ts')).readPlain(data),
};

/** Reads a document of any kind. Throws Unreadable with a sentence about it. */
export const readDocument = (kind: DocumentKind, data: Uint8Array, options: ReadOptions): Promise<Document> =>
  READERS[kind](data, options);
