import type { DocumentKind } from './extract.ts';
import type { Document } from './passages.ts';
import type { ReadOptions } from './read-options.ts';

/** Reads a document of any kind. Throws Unreadable with a sentence about it. */
export async function readDocument(kind: DocumentKind, data: Uint8Array, options: ReadOptions): Promise<Document> {
  // Load each reader only when needed: this process spends most of its life loading.
  switch (kind) {
    case 'pdf':
      return (await import('./read-pdf.ts')).readPdf(data, options);
    case 'picture':
      return (await import('./recognize.ts')).readPicture(data, options);
    case 'xlsx':
      return (await import('./office/read-sheet.ts')).readSheet(data);
    case 'docx':
    case 'pptx':
    case 'odt':
    case 'ods':
    case 'odp':
    case 'rtf':
    case 'epub':
      return (await import('./office/read-office.ts')).readOffice(kind, data);
    case 'fodt':
    case 'fods':
    case 'fodp':
      return (await import('./office/read-office.ts')).readFlat(kind, data);
    case 'html':
      return (await import('./read-html.ts')).readHtml(data);
    case 'article':
      return (await import('./read-html.ts')).readArticle(data);
    case 'mail':
      return (await import('./read-mail.ts')).readMail(data, (inner, attached) =>
        readDocument(inner, attached, options),
      );
    case 'csv':
      return (await import('./read-rows.ts')).readRows(data);
    case 'xml':
      return (await import('./read-xml.ts')).readXml(data);
    case 'notebook':
      return (await import('./read-notebook.ts')).readNotebook(data);
    case 'json':
      return (await import('./read-values.ts')).readJson(data);
    case 'jsonl':
      return (await import('./read-values.ts')).readJsonLines(data);
    case 'yaml':
      return (await import('./read-values.ts')).readYaml(data);
    case 'markdown':
      return (await import('./read-text.ts')).readMarkdown(data);
    case 'subtitles':
      return (await import('./read-text.ts')).readSubtitles(data);
    case 'plain':
      return (await import('./read-text.ts')).readPlain(data);
  }
}
