import { readFileSync } from 'node:fs';
import type { FileKind } from '@atelier/contract/files';
import { encryptedPdf, grown, zipOf } from './documents.ts';

/** Documents that pandoc, LibreOffice, openpyxl, ReportLab and qpdf made. */
export const made = (name: string) => readFileSync(new URL(`./documents-of-others/${name}`, import.meta.url));
export const text = (lines: string[]) => Buffer.from(lines.join('\n'));

const ROWS = ['Service,Price,Duration', 'Roof repair,480 euros,two days', 'Gutter cleaning,90 euros,three hours'];
/** A message with a table, and a table attached. */
export const MAIL = [
  'From: Ingeborg <ingeborg@example.com>',
  'To: ada@example.com',
  'Subject: =?utf-8?q?Our_pr=C3=ADces?=',
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary=b',
  '',
  '--b',
  'Content-Type: text/html; charset=iso-8859-1',
  '',
  '<p>Dear Ada,</p><table><tr><th>Service</th><th>Price</th></tr><tr><td>Roof repair</td><td>480 euros</td></tr><tr><td>Painting</td><td>90 euros</td></tr></table>',
  '--b',
  'Content-Type: text/csv',
  'Content-Disposition: attachment; filename="hours.csv"',
  '',
  'Day,Opens,Closes',
  'Friday,08:00,15:30',
  '--b',
  'Content-Type: image/png',
  'Content-Disposition: attachment; filename="logo.png"',
  '',
  'x',
  '--b--',
];

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

const CUT = /damaged and can’t be read/;
const HUGE = /too large when unpacked/;
const LOCKED = /protected by a password/;
const OLE = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0]);
const half = (data: Buffer) => data.subarray(0, data.length / 2);
const zip = (name: string, part: string) => {
  const data = made(name);
  return { damaged: [half(data), CUT] as [Buffer, RegExp], bomb: [grown(data, part), HUGE] as [Buffer, RegExp] };
};
/** An encrypted book: its key is the bookseller's. */
const LOCKED_BOOK = zipOf([
  { name: 'mimetype', data: Buffer.from('application/epub+zip') },
  {
    name: 'META-INF/container.xml',
    data: Buffer.from(
      '<?xml version="1.0"?><container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="a.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
    ),
  },
  {
    name: 'META-INF/encryption.xml',
    data: Buffer.from(
      '<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:EncryptedData><enc:EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#aes128-cbc"/><enc:CipherData><enc:CipherReference URI="c.xhtml"/></enc:CipherData></enc:EncryptedData></encryption>',
    ),
  },
  {
    name: 'a.opf',
    data: Buffer.from(
      '<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata/><manifest><item id="c" href="c.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="c"/></spine></package>',
    ),
  },
  { name: 'c.xhtml', data: Buffer.from('0123456789abcdef') },
]);

export const KIND_ROWS: KindRow[] = [
  {
    kind: 'plain',
    file: ['prices.py', text(['# prices', 'x = "A roof repair costs 480 euros."'])],
    place: 'lines 1–2',
  },
  {
    kind: 'plain',
    file: ['README', Buffer.from('Das Dach: roof repair kostet 480 €, Größe S.', 'utf16le')],
    place: 'lines 1–1',
  },
  {
    kind: 'markdown',
    file: ['prices.md', text(['# Prices', '', '| Service | Price |', '|---|---|', '| Roof repair | 480 euros |'])],
    place: '“Prices”',
  },
  { kind: 'csv', file: ['prices.csv', text(ROWS)], place: 'rows 2–3' },
  { kind: 'csv', file: ['prices.tsv', text(ROWS.map((row) => row.replaceAll(',', '\t')))], place: 'rows 2–3' },
  {
    kind: 'json',
    file: [
      'prices.json',
      Buffer.from('[{"service":"Roof repair","price":"480 euros"},{"service":"Paint","price":"9"}]'),
    ],
    place: '$[0]',
    damaged: [Buffer.from('[{"service":'), /not valid JSON/],
    bomb: [Buffer.from(`${'['.repeat(5_000)}1${']'.repeat(5_000)}`), /nested deeper than 100 levels/],
  },
  {
    kind: 'jsonl',
    file: ['prices.jsonl', text(['{"service":"Roof repair","price":"480 euros"}', '{"service":"Paint","price":"9"}'])],
    place: 'lines 1–2',
    damaged: [text(['{"a":1}', '{"a":']), /Line 2 of this file is not valid JSON/],
    bomb: [Buffer.from(`{"a":${'['.repeat(5_000)}1${']'.repeat(5_000)}}`), /nested deeper than 100 levels/],
  },
  {
    kind: 'yaml',
    file: [
      'prices.yaml',
      text(['prices:', '  - service: Roof repair', '    price: 480 euros', '  - service: Paint', '    price: 9']),
    ],
    place: '$.prices[0]',
    damaged: [text(['a: [1', 'b: 2']), /not valid YAML \(line \d\)/],
    bomb: [
      text([
        'a: &a [x,x,x,x,x,x,x,x]',
        ...'bcdefghi'.split('').map((c, i) => `${c}: &${c} [${`*${'abcdefgh'[i]},`.repeat(8)}x]`),
      ]),
      /aliases of this YAML repeat too much/,
    ],
  },
  {
    kind: 'xml',
    file: ['prices.xml', Buffer.from('<prices><item name="Roof repair">A roof repair costs 480 euros</item></prices>')],
    place: '$.prices.item',
    damaged: [Buffer.from('<a><b></a>'), /not valid XML/],
    bomb: [Buffer.from('<a>'.repeat(5_000)), /nested deeper than 200 levels/],
  },
  { kind: 'html', file: ['prices.html', made('pandoc.html')], place: '“Prices”' },
  {
    kind: 'html',
    file: ['hours.htm', made('pandoc.html')],
    question: 'When do you close on Friday?',
    answer: '15:30',
    place: '“Opening hours”',
  },
  {
    kind: 'pdf',
    file: ['prices.pdf', made('libreoffice.pdf')],
    place: 'page 1',
    damaged: [Buffer.from('%PDF-1.4 nonsense'), /This PDF is damaged/],
    encrypted: [made('qpdf-encrypted.pdf'), /This PDF is protected by a password/],
  },
  {
    kind: 'pdf',
    file: ['form.pdf', made('reportlab-form.pdf')],
    question: 'Who is the captain?',
    answer: 'Ingeborg',
    place: 'page 1',
    encrypted: [encryptedPdf(), LOCKED],
  },
  {
    kind: 'pdf',
    file: ['comments.pdf', made('mupdf-comments.pdf')],
    question: 'How many euros does the invoice say?',
    answer: '510',
    place: 'page 1',
  },
  { kind: 'pdf', file: ['scan.pdf', made('reportlab-scan.pdf')], place: 'page 1' },
  {
    kind: 'picture',
    // It lies on its side.
    file: ['scan.png', made('scan-turned.png')],
    place: 'picture',
    damaged: [half(made('scan.png')), /No text was recognized/],
  },
  {
    kind: 'docx',
    file: ['prices.docx', made('pandoc.docx')],
    place: '“Prices”',
    ...zip('pandoc.docx', 'word/document.xml'),
    encrypted: [OLE, LOCKED],
  },
  {
    kind: 'docx',
    file: ['hours.docx', made('libreoffice.docx')],
    question: 'When do you close on Friday?',
    answer: '15:30',
    place: '“Opening hours”',
  },
  {
    kind: 'xlsx',
    file: ['prices.xlsx', made('openpyxl.xlsx')],
    answer: '480',
    place: 'sheet “Prices”, rows 2–4',
    ...zip('openpyxl.xlsx', 'xl/workbook.xml'),
    encrypted: [OLE, LOCKED],
  },
  {
    kind: 'xlsx',
    file: ['hours.xlsx', made('libreoffice.xlsx')],
    question: 'When do you close on Friday?',
    answer: '15:30',
    place: 'sheet “Opening hours”, rows 1–5',
  },
  {
    kind: 'pptx',
    file: ['prices.pptx', made('pandoc.pptx')],
    place: 'slide 2',
    ...zip('pandoc.pptx', 'ppt/presentation.xml'),
    encrypted: [OLE, LOCKED],
  },
  {
    kind: 'odt',
    file: ['prices.odt', made('pandoc.odt')],
    place: '“Prices”',
    ...zip('pandoc.odt', 'content.xml'),
    encrypted: [made('libreoffice-encrypted.odt'), LOCKED],
  },
  {
    kind: 'ods',
    file: ['prices.ods', made('libreoffice.ods')],
    answer: '480',
    place: 'sheet “Prices”, rows 2–4',
    ...zip('libreoffice.ods', 'content.xml'),
    encrypted: [made('libreoffice-encrypted.ods'), LOCKED],
  },
  {
    kind: 'odp',
    file: ['prices.odp', made('libreoffice.odp')],
    place: 'slide 2',
    ...zip('libreoffice.odp', 'content.xml'),
    encrypted: [made('libreoffice-encrypted.odp'), LOCKED],
  },
  {
    kind: 'rtf',
    file: ['prices.rtf', made('pandoc.rtf')],
    place: '“Prices”',
    damaged: [half(made('pandoc.rtf')), CUT],
  },
  { kind: 'rtf', file: ['offer.rtf', made('libreoffice.rtf')], place: '“Offer”' },
  {
    kind: 'epub',
    file: ['prices.epub', made('pandoc.epub')],
    place: '“Prices”',
    ...zip('pandoc.epub', 'META-INF/container.xml'),
    encrypted: [LOCKED_BOOK, /This book is protected/],
  },
  {
    kind: 'mail',
    file: ['prices.eml', text(MAIL)],
    place: 'message',
    damaged: [text(['Hello Ada,', 'no headers here']), /not an e-mail message/],
    bomb: [
      text(Array.from({ length: 200 }, (_, i) => `Content-Type: multipart/mixed; boundary=b${i}\n\n--b${i}`)),
      CUT,
    ],
    encrypted: [
      text(['Subject: x', 'Content-Type: application/pkcs7-mime; smime-type=enveloped-data', '', 'MIIB']),
      /encrypted/,
    ],
  },
  {
    kind: 'mail',
    file: ['hours.eml', text(MAIL)],
    question: 'When do you close on Friday?',
    answer: '15:30',
    place: 'attachment “hours.csv”, row 2',
  },
  {
    kind: 'notebook',
    file: ['prices.ipynb', made('pandoc.ipynb')],
    place: 'cell 1',
    damaged: [Buffer.from('{"cells": 1}'), /not a valid notebook/],
  },
  {
    kind: 'subtitles',
    file: [
      'talk.srt',
      text([
        '1',
        '00:00:01,000 --> 00:00:03,500',
        'A roof repair costs 480 euros.',
        '',
        '2',
        '00:00:04,000 --> 00:00:06,000',
        'Thank you.',
      ]),
    ],
    place: '00:00:01–00:00:06',
  },
];
