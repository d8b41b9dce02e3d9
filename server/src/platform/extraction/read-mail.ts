import { fileTypeOf } from '@atelier/contract/files';
import PostalMime, { type Address, type Attachment } from 'postal-mime';
import type { DocumentKind } from './extract.ts';
import type { Document, Section } from './passages.ts';
import { readHtml } from './read-html.ts';
import { Unreadable } from './unreadable.ts';

const ATTACHMENTS_MAX = 50;
const MESSAGES_MAX = 1_000;
/** Each message inside a message is held, and read, once more. */
const NESTING = { maxNestingDepth: 50, maxRfc822NestingDepth: 3 };

const MAIL_HEADERS = new Set(['from', 'to', 'subject', 'date', 'message-id', 'received']);

/** Reads an attachment. Throws Unreadable. */
export type ReadAttachment = (kind: DocumentKind, data: Uint8Array) => Promise<Document>;

/** An e-mail message, or all those of a mailbox. */
export async function readMail(data: Uint8Array, readAttachment: ReadAttachment): Promise<Document> {
  const messages = messagesOf(data);
  if (messages === undefined) return readMessage(data, 'message', readAttachment);
  const read: Document[] = [];
  for (const [at, message] of messages.slice(0, MESSAGES_MAX).entries()) {
    const document = await readMessage(message, `message ${at + 1}`, readAttachment).catch((error: unknown) => {
      if (!(error instanceof Unreadable)) throw error;
      return { sections: () => [], notes: [`Message ${at + 1} was not read. ${error.message}`] };
    });
    read.push(document);
  }
  return {
    sections: () => read.flatMap(({ sections }) => [...sections()]),
    only: messages.length > MESSAGES_MAX ? `${MESSAGES_MAX.toLocaleString('en-US')} messages` : undefined,
    notes: read.flatMap(({ notes = [] }) => notes),
    pictures: read.some(({ pictures }) => pictures === true),
  };
}

/** The messages of a mailbox (RFC 4155); undefined for other files. A line that would begin one is marked in a message's text. */
function messagesOf(data: Uint8Array): Uint8Array[] | undefined {
  const text = Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('latin1');
  if (!text.startsWith('From ')) return undefined;
  const messages = `\n\n${text.replaceAll('\r\n', '\n')}`.split('\n\nFrom ').slice(1);
  return messages.map((message) =>
    Buffer.from(message.slice(message.indexOf('\n') + 1).replaceAll(/^>(?=>{0,99}From )/gm, ''), 'latin1'),
  );
}

/** One message: its headers, its text and the attachments that can be read. */
async function readMessage(data: Uint8Array, place: string, readAttachment: ReadAttachment): Promise<Document> {
  const mail = await new PostalMime(NESTING).parse(data).catch(() => {
    throw new Unreadable('This message is damaged and can’t be read.');
  });
  if (!mail.headers.some(({ key }) => MAIL_HEADERS.has(key)))
    throw new Unreadable('This file is not an e-mail message.');
  const type = mail.headers.find(({ key }) => key === 'content-type')?.value.toLowerCase() ?? '';
  if (type.startsWith('multipart/encrypted') || (type.includes('pkcs7-mime') && !type.includes('signed-data'))) {
    throw new Unreadable('This message is encrypted. Save it decrypted and upload it again.');
  }
  const head = [
    ['Subject', mail.subject],
    ['From', people(mail.from)],
    ['To', people(mail.to)],
    ['Copy', people(mail.cc)],
    ['Date', mail.date],
  ].flatMap(([name, value]) => (value ? [`${name}: ${value}`] : []));
  const html = mail.html === undefined ? undefined : [...readHtml(new TextEncoder().encode(mail.html)).sections()];
  // What a program made plain of a message has lost its tables.
  const body =
    html
      ?.map(({ text }) => text)
      .join('\n')
      .trim() ||
    mail.text ||
    '';
  const notes: string[] = [];
  const attached: { place: string; document: Document }[] = [];
  for (const [at, attachment] of mail.attachments.entries()) {
    const name = (attachment.filename ?? `attachment ${at + 1}`).slice(0, 120);
    const document =
      at < ATTACHMENTS_MAX ? await read(name, attachment, readAttachment) : 'There are too many attachments.';
    if (typeof document === 'string') notes.push(`The attachment “${name}” was not read. ${document}`.trim());
    else {
      attached.push({ place: `${place === 'message' ? '' : `${place}, `}attachment “${name}”`, document });
      notes.push(...(document.notes ?? []).map((note) => `“${name}”: ${note}`));
    }
  }
  return {
    title: mail.subject ?? '',
    sections: function* (): Iterable<Section> {
      yield { place, text: `${head.join('\n')}\n\n${body}` };
      for (const { place, document } of attached) {
        for (const section of document.sections()) yield { ...section, place: `${place}, ${section.place}` };
      }
    },
    notes,
    pictures: attached.some(({ document }) => document.pictures === true),
  };
}

const people = (all: Address | Address[] | undefined): string =>
  (all === undefined ? [] : [all].flat())
    .map(({ name, address }) => (address === undefined ? name : name === '' ? address : `${name} <${address}>`))
    .join(', ');

async function read(name: string, { content }: Attachment, readAttachment: ReadAttachment): Promise<Document | string> {
  const kind = fileTypeOf(name)?.kind;
  // Pictures in messages are signatures and logos more often than texts.
  if (kind === undefined || kind === 'mail' || kind === 'picture') return '';
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content);
  try {
    return await readAttachment(kind, bytes);
  } catch (error) {
    if (error instanceof Unreadable) return error.message;
    throw error;
  }
}
