import { getDocumentProxy } from 'unpdf';
import { type Document, type Section, TEXT_MAX } from './passages.ts';
import { Unreadable } from './unreadable.ts';

const PAGES_MAX = 2_000;

/** A PDF, one section per page; one page at a time, so that a long document needs no more memory than a short one. */
export async function readPdf(data: Uint8Array): Promise<Document> {
  const pdf = await getDocumentProxy(data, { verbosity: 0 }).catch((error: unknown) => {
    if (error instanceof Error && error.name === 'PasswordException') {
      throw new Unreadable('This PDF is protected by a password. Remove the protection and upload it again.');
    }
    throw new Unreadable('This PDF is damaged and can’t be read.');
  });
  const sections: Section[] = [];
  let characters = 0;
  for (let number = 1; number <= Math.min(pdf.numPages, PAGES_MAX) && characters <= TEXT_MAX; number += 1) {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    let text = '';
    for (const item of items) if ('str' in item) text += item.str + (item.hasEOL ? '\n' : item.str === '' ? ' ' : '');
    sections.push({ place: `page ${number}`, text });
    characters += text.length;
    page.cleanup();
  }
  if (sections.every(({ text }) => text.trim() === '')) {
    throw new Unreadable(
      'This PDF contains only pictures of text. Run text recognition (OCR) on it and upload it again.',
    );
  }
  const cut = sections.length < pdf.numPages;
  return { sections: () => sections, only: cut ? `${sections.length.toLocaleString('en')} pages` : undefined };
}
