import { readFileSync } from 'node:fs';
import type { FileKind } from '@atelier/contract/files';
import { encryptedPdf, grown, zipOf } from './documents.ts';

/** Documents that pandoc, LibreOffice, openpyxl, ReportLab and qpdf made. */
export const made = (name: string) => readFileSync(new URL(`./documents-of-others/${name}`, import.meta.url));
export const text = (...lines: string[]) => Buffer.from(lines.join('\n'));

const ROWS = ['Service,Price,Duration', 'Roof repair,480 euros,two days', 'Gutter cleaning,90 euros,three hours'];
/** A message with a table, and a table attached. */
export const MAIL = readFileSync(new URL('./offer.eml', import.meta.url));

/** What is known of a kind of file: a readable one, and those that are refused with a sentence. */
export interface KindRow {
  kind: FileKind;
  /** A file of this kind, from which the question is answered with this place. */
  file: [name: string, data: Buffer];
  place: string;
  question?: string;
  answer?: string;
  damaged?: [Buffer, RegExp];
  bomb?: [Buffer, RegExp];
  encrypted?: [Buffer, RegExp];
}
/** A row; a text as its data names a document that another program made. */
export const row = (
  kind: FileKind,
  name: string,
  data: Buffer | string,
  place: string,
  more: Partial<KindRow> = {},
): KindRow => ({ kind, file: [name, typeof data === 'string' ? made(data) : data], place, ...more });
export const FRIDAY = { question: 'When do you close on Friday?', answer: '15:30' };

const CUT = /damaged and can’t be read/;
const HUGE = /too large when unpacked/;
const LOCKED = /protected by a password/;
const OLE: [Buffer, RegExp] = [Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0]), LOCKED];
export const half = (data: Buffer) => data.subarray(0, data.length / 2);
/** An archive that another program made, cut off, and with a part that grows. */
const archive = (kind: FileKind, name: string, from: string, place: string, part: string, more: Partial<KindRow>) =>
  row(kind, name, from, place, { damaged: [half(made(from)), CUT], bomb: [grown(made(from), part), HUGE], ...more });
const lock = (name: string): Partial<KindRow> => ({ encrypted: [made(name), LOCKED] });

const CONTAINER = 'xmlns="urn:oasis:names:tc:opendocument:xmlns:container"';
/** An encrypted book: its key is the bookseller's. */
const LOCKED_BOOK = zipOf({
  mimetype: 'application/epub+zip',
  'META-INF/container.xml': `<?xml version="1.0"?><container version="1.0" ${CONTAINER}><rootfiles><rootfile full-path="a.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`,
  'META-INF/encryption.xml': `<encryption ${CONTAINER} xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:EncryptedData><enc:EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#aes128-cbc"/><enc:CipherData><enc:CipherReference URI="c.xhtml"/></enc:CipherData></enc:EncryptedData></encryption>`,
  'a.opf':
    '<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata/><manifest><item id="c" href="c.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="c"/></spine></package>',
  'c.xhtml': '0123456789abcdef',
});

export const KIND_ROWS: KindRow[] = [
  row('plain', 'prices.py', text('# prices', 'x = "A roof repair costs 480 euros."'), 'lines 1–2'),
  row('plain', 'README', Buffer.from('Das Dach: roof repair kostet 480 €, Größe S.', 'utf16le'), 'lines 1–1'),
  row(
    'markdown',
    'prices.md',
    text('# Prices', '', '| Service | Price |', '|---|---|', '| Roof repair | 480 euros |'),
    '“Prices”',
  ),
  row('csv', 'prices.csv', text(...ROWS), 'rows 2–3'),
  row('csv', 'prices.tsv', text(...ROWS.map((line) => line.replaceAll(',', '\t'))), 'rows 2–3'),
  row(
    'json',
    'prices.json',
    Buffer.from('[{"service":"Roof repair","price":"480 euros"},{"service":"Paint","price":"9"}]'),
    '$[0]',
    {
      damaged: [Buffer.from('[{"service":'), /not valid JSON/],
      bomb: [Buffer.from(`${'['.repeat(5_000)}1${']'.repeat(5_000)}`), /nested deeper than 100 levels/],
    },
  ),
  row(
    'jsonl',
    'prices.jsonl',
    text('{"service":"Roof repair","price":"480 euros"}', '{"service":"Paint","price":"9"}'),
    'lines 1–2',
    {
      damaged: [text('{"a":1}', '{"a":'), /Line 2 of this file is not valid JSON/],
      bomb: [Buffer.from(`{"a":${'['.repeat(5_000)}1${']'.repeat(5_000)}}`), /nested deeper than 100 levels/],
    },
  ),
  row(
    'yaml',
    'prices.yaml',
    text('prices:', '  - service: Roof repair', '    price: 480 euros', '  - service: Paint', '    price: 9'),
    '$.prices[0]',
    {
      damaged: [text('a: [1', 'b: 2'), /not valid YAML \(line \d\)/],
      bomb: [
        text(
          'a: &a [x,x,x,x,x,x,x,x]',
          ...'bcdefghi'.split('').map((c, i) => `${c}: &${c} [${`*${'abcdefgh'[i]},`.repeat(8)}x]`),
        ),
        /aliases of this YAML repeat too much/,
      ],
    },
  ),
  row(
    'xml',
    'prices.xml',
    Buffer.from('<prices><item name="Roof repair">A roof repair costs 480 euros</item></prices>'),
    '$.prices.item',
    {
      damaged: [Buffer.from('<a><b></a>'), /not valid XML/],
      bomb: [Buffer.from('<a>'.repeat(5_000)), /nested deeper than 200 levels/],
    },
  ),
  row('html', 'prices.html', 'pandoc.html', '“Prices”'),
  row('html', 'hours.htm', 'pandoc.html', '“Opening hours”', FRIDAY),
  row('pdf', 'prices.pdf', 'libreoffice.pdf', 'page 1', {
    damaged: [Buffer.from('%PDF-1.4 nonsense'), /This PDF is damaged/],
    encrypted: [made('qpdf-encrypted.pdf'), /This PDF is protected by a password/],
  }),
  row('pdf', 'form.pdf', 'reportlab-form.pdf', 'page 1', {
    question: 'Who is the captain?',
    answer: 'Ingeborg',
    encrypted: [encryptedPdf(), LOCKED],
  }),
  row('pdf', 'comments.pdf', 'mupdf-comments.pdf', 'page 1', {
    question: 'How many euros does the invoice say?',
    answer: '510',
  }),
  row('pdf', 'scan.pdf', 'reportlab-scan.pdf', 'page 1'),
  // It lies on its side.
  row('picture', 'scan.png', 'scan-turned.png', 'picture', {
    damaged: [half(made('scan.png')), /^This picture is damaged/],
  }),
  archive('docx', 'prices.docx', 'pandoc.docx', '“Prices”', 'word/document.xml', { encrypted: OLE }),
  row('docx', 'hours.docx', 'libreoffice.docx', '“Opening hours”', FRIDAY),
  archive('xlsx', 'prices.xlsx', 'openpyxl.xlsx', 'sheet “Prices”, rows 2–4', 'xl/workbook.xml', {
    answer: '480',
    encrypted: OLE,
  }),
  row('xlsx', 'hours.xlsx', 'libreoffice.xlsx', 'sheet “Opening hours”, rows 1–5', FRIDAY),
  archive('pptx', 'prices.pptx', 'pandoc.pptx', 'slide 2', 'ppt/presentation.xml', { encrypted: OLE }),
  archive('odt', 'prices.odt', 'pandoc.odt', '“Prices”', 'content.xml', lock('libreoffice-encrypted.odt')),
  archive('ods', 'prices.ods', 'libreoffice.ods', 'sheet “Prices”, rows 2–4', 'content.xml', {
    answer: '480',
    ...lock('libreoffice-encrypted.ods'),
  }),
  archive('odp', 'prices.odp', 'libreoffice.odp', 'slide 2', 'content.xml', lock('libreoffice-encrypted.odp')),
  row('rtf', 'prices.rtf', 'pandoc.rtf', '“Prices”', { damaged: [half(made('pandoc.rtf')), CUT] }),
  row('rtf', 'offer.rtf', 'libreoffice.rtf', '“Offer”'),
  archive('epub', 'prices.epub', 'pandoc.epub', '“Prices”', 'META-INF/container.xml', {
    encrypted: [LOCKED_BOOK, /This book is protected/],
  }),
  row('mail', 'prices.eml', MAIL, 'message', {
    damaged: [text('Hello Ada,', 'no headers here'), /not an e-mail message/],
    bomb: [
      text(...Array.from({ length: 200 }, (_, i) => `Content-Type: multipart/mixed; boundary=b${i}\n\n--b${i}`)),
      CUT,
    ],
    encrypted: [
      text('Subject: x', 'Content-Type: application/pkcs7-mime; smime-type=enveloped-data', '', 'MIIB'),
      /encrypted/,
    ],
  }),
  row('mail', 'hours.eml', MAIL, 'attachment “hours.csv”, row 2', FRIDAY),
  row('notebook', 'prices.ipynb', 'pandoc.ipynb', 'cell 1', {
    damaged: [Buffer.from('{"cells": 1}'), /not a valid notebook/],
  }),
  row(
    'subtitles',
    'talk.srt',
    Buffer.from(
      '1\n00:00:01,000 --> 00:00:03,500\nA roof repair costs 480 euros.\n\n2\n00:00:04,000 --> 00:00:06,000\nThank you.',
    ),
    '00:00:01–00:00:06',
  ),
];
