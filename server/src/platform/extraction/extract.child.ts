import { writeSync } from 'node:fs';
import { cutIntoPassages, type Document } from './passages.ts';
import { Unreadable } from './unreadable.ts';

async function read(kind: string, data: Uint8Array): Promise<Document> {
  // Load each reader only when needed: this process spends most of its life loading.
  if (kind === 'pdf') return (await import('./read-pdf.ts')).readPdf(data);
  if (kind === 'docx') return (await import('./read-docx.ts')).readDocx(data);
  if (kind === 'html') return (await import('./read-html.ts')).readHtml(data);
  if (kind === 'article') return (await import('./read-html.ts')).readArticle(data);
  const texts = await import('./read-text.ts');
  if (kind === 'markdown') return texts.readMarkdown(data);
  if (kind === 'csv') return texts.readCsv(data);
  if (kind === 'json') return texts.readJson(data);
  return texts.readPlain(data);
}

async function answer(): Promise<object> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  try {
    const document = await read(process.argv[2] ?? '', new Uint8Array(Buffer.concat(chunks)));
    const { passages, only } = cutIntoPassages(document.sections);
    return { title: document.title ?? '', passages, only: only ?? document.only ?? null };
  } catch (error) {
    if (error instanceof Unreadable) return { unreadable: error.message };
    return { unreadable: 'This file is damaged and can’t be read.' };
  }
}

/** Writes everything before the process ends, however slowly the other side reads. */
function writeWhole(text: string) {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(1, bytes, at);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

// Output of libraries is not part of the answer.
console.log = console.warn = console.info = () => {};
writeWhole(JSON.stringify(await answer()));
process.exit(0);
