/** Why a document can't be read, in a sentence for the person who uploaded it. */
export class Unreadable extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'Unreadable';
  }
}

/** Decodes UTF-8 (or UTF-16 with a byte order mark); throws Unreadable for anything else. */
export function decodeText(data: Uint8Array): string {
  const mark =
    data[0] === 0xff && data[1] === 0xfe ? 'utf-16le' : data[0] === 0xfe && data[1] === 0xff ? 'utf-16be' : 'utf-8';
  let text: string;
  try {
    text = new TextDecoder(mark, { fatal: true }).decode(data);
  } catch {
    throw new Unreadable('This file is not text in UTF-8. Save it as UTF-8 and upload it again.');
  }
  if (text.includes('\0'))
    throw new Unreadable('The content of this file does not match its name: it contains bytes that text never has.');
  return text;
}
