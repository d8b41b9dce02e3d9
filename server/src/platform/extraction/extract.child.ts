import { writeSync } from 'node:fs';
import { cutIntoPassages, type Passage, type Section } from './passages.ts';
import { Unreadable } from './unreadable.ts';

/** What a document's text may take in all, in characters. */
const TEXT_MAX = 4_000_000;

async function sectionsOf(kind: string, data: Uint8Array): Promise<{ title?: string; sections: Section[] }> {
  // Each reader is loaded only where it is needed: most of the time that this process lives is loading.
  if (kind === 'pdf') return { sections: await (await import('./read-pdf.ts')).readPdf(data) };
  if (kind === 'docx') return { sections: await (await import('./read-docx.ts')).readDocx(data) };
  if (kind === 'html') return (await import('./read-html.ts')).readHtml(data);
  if (kind === 'article') return (await import('./read-html.ts')).readArticle(data);
  const texts = await import('./read-text.ts');
  if (kind === 'markdown') return { sections: texts.readMarkdown(data) };
  if (kind === 'csv') return { sections: texts.readCsv(data) };
  if (kind === 'json') return { sections: texts.readJson(data) };
  return { sections: texts.readPlain(data) };
}

function bounded(passages: Passage[]): { passages: Passage[]; truncated: boolean } {
  let left = TEXT_MAX;
  const end = passages.findIndex(({ text }) => {
    left -= text.length;
    return left < 0;
  });
  return end < 0 ? { passages, truncated: false } : { passages: passages.slice(0, end), truncated: true };
}

async function answer(): Promise<object> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  try {
    const { title = '', sections } = await sectionsOf(process.argv[2] ?? '', new Uint8Array(Buffer.concat(chunks)));
    return { title, ...bounded(cutIntoPassages(sections)) };
  } catch (error) {
    if (error instanceof Unreadable) return { unreadable: error.message };
    return { unreadable: 'This file is damaged and can’t be read.' };
  }
}

/** Written whole before the process ends, however slowly the other side reads. */
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

// What a library says on its way is not part of the answer.
console.log = console.warn = console.info = () => {};
writeWhole(JSON.stringify(await answer()));
process.exit(0);
