import { z } from 'zod';
import { calls, create, get, post, remove, under, upload } from './calls.ts';
import { instant, pageQuery } from './ids.ts';

export const FILE_LIMITS = {
  bytes: 10 * 1024 * 1024,
  name: 255,
  /** Of a picture in a message: models refuse more. */
  pictureBytes: 5 * 1024 * 1024,
  /** Width times height, and one side: models shrink pictures anyway, and a page has to show them. */
  pixels: 16_000_000,
  side: 8_000,
} as const;

const OPEN_XML = 'application/vnd.openxmlformats-officedocument';
const OPEN_DOCUMENT = 'application/vnd.oasis.opendocument';
const MACRO = 'macroEnabled.12';
const of = <K extends string>(kind: K, type: string) => ({ kind, type });

/** The supported types with a format of their own, by file extension. */
const FORMATS = {
  md: of('markdown', 'text/markdown'),
  markdown: of('markdown', 'text/markdown'),
  csv: of('csv', 'text/csv'),
  tsv: of('csv', 'text/tab-separated-values'),
  tab: of('csv', 'text/tab-separated-values'),
  json: of('json', 'application/json'),
  geojson: of('json', 'application/geo+json'),
  jsonl: of('jsonl', 'application/jsonl'),
  ndjson: of('jsonl', 'application/jsonl'),
  yaml: of('yaml', 'application/yaml'),
  yml: of('yaml', 'application/yaml'),
  xml: of('xml', 'application/xml'),
  rss: of('xml', 'application/rss+xml'),
  html: of('html', 'text/html'),
  htm: of('html', 'text/html'),
  xhtml: of('html', 'application/xhtml+xml'),
  pdf: of('pdf', 'application/pdf'),
  docx: of('docx', `${OPEN_XML}.wordprocessingml.document`),
  docm: of('docx', `application/vnd.ms-word.document.${MACRO}`),
  dotx: of('docx', `${OPEN_XML}.wordprocessingml.template`),
  dotm: of('docx', `application/vnd.ms-word.template.${MACRO}`),
  xlsx: of('xlsx', `${OPEN_XML}.spreadsheetml.sheet`),
  xlsm: of('xlsx', `application/vnd.ms-excel.sheet.${MACRO}`),
  xltx: of('xlsx', `${OPEN_XML}.spreadsheetml.template`),
  xltm: of('xlsx', `application/vnd.ms-excel.template.${MACRO}`),
  pptx: of('pptx', `${OPEN_XML}.presentationml.presentation`),
  pptm: of('pptx', `application/vnd.ms-powerpoint.presentation.${MACRO}`),
  ppsx: of('pptx', `${OPEN_XML}.presentationml.slideshow`),
  potx: of('pptx', `${OPEN_XML}.presentationml.template`),
  odt: of('odt', `${OPEN_DOCUMENT}.text`),
  ott: of('odt', `${OPEN_DOCUMENT}.text-template`),
  fodt: of('fodt', `${OPEN_DOCUMENT}.text-flat-xml`),
  ods: of('ods', `${OPEN_DOCUMENT}.spreadsheet`),
  ots: of('ods', `${OPEN_DOCUMENT}.spreadsheet-template`),
  fods: of('fods', `${OPEN_DOCUMENT}.spreadsheet-flat-xml`),
  odp: of('odp', `${OPEN_DOCUMENT}.presentation`),
  otp: of('odp', `${OPEN_DOCUMENT}.presentation-template`),
  fodp: of('fodp', `${OPEN_DOCUMENT}.presentation-flat-xml`),
  rtf: of('rtf', 'application/rtf'),
  epub: of('epub', 'application/epub+zip'),
  eml: of('mail', 'message/rfc822'),
  mbox: of('mail', 'application/mbox'),
  ipynb: of('notebook', 'application/x-ipynb+json'),
  srt: of('subtitles', 'application/x-subrip'),
  vtt: of('subtitles', 'text/vtt'),
  png: of('picture', 'image/png'),
  jpg: of('picture', 'image/jpeg'),
  jpeg: of('picture', 'image/jpeg'),
  webp: of('picture', 'image/webp'),
  gif: of('picture', 'image/gif'),
  bmp: of('picture', 'image/bmp'),
} as const;

/** Text that is read line by line: notes, logs, settings and source code. */
const PLAIN = (
  'txt text log rst adoc org tex bib diff patch ics vcf ini cfg conf env properties toml lock gitignore editorconfig jsonc json5 ' +
  'js mjs cjs jsx ts mts cts tsx vue svelte css scss sass less py pyi rb php java kt kts scala groovy gradle c h cc cpp cxx hpp cs ' +
  'fs go rs swift m mm dart r jl lua pl pm ex exs erl hs clj elm ml nim zig sql graphql proto tf sh bash zsh fish ps1 bat cmd asm'
).split(' ');

export type FileKind = (typeof FORMATS)[keyof typeof FORMATS]['kind'] | 'plain';

/** The supported types, by file extension. */
export const FILE_TYPES: ReadonlyMap<string, { kind: FileKind; type: string }> = new Map<
  string,
  { kind: FileKind; type: string }
>([...Object.entries(FORMATS), ...PLAIN.map((extension) => [extension, of('plain', 'text/plain')] as const)]);

/** What a file picker offers. */
export const ACCEPTED = [...FILE_TYPES.keys()].map((extension) => `.${extension}`).join(',');

/** The pictures that models take. */
export const PICTURE_TYPES: readonly string[] = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];

/** A limit in bytes in words: `10 MB`, `1 GB`. */
const sizeOf = (bytes: number) => {
  const megabytes = bytes / 1024 / 1024;
  return megabytes % 1024 === 0 ? `${megabytes / 1024} GB` : `${megabytes} MB`;
};

export const tooLargeFile = (most: number) => `A file can have at most ${sizeOf(most)}.`;
export const fullAccount = (most: number) =>
  `Your files have reached ${sizeOf(most)}, the limit for one account. Delete some first.`;

export const FILE_SENTENCES = {
  tooLarge: tooLargeFile(FILE_LIMITS.bytes),
  damagedPicture: 'This picture is damaged. Save it again with another program, and upload that.',
  unsupported:
    'This kind of file can’t be read. Use PDF, Word, Excel, PowerPoint or OpenDocument files, e-mail, web pages, pictures of text, or any text.',
  old: 'Old Office files can’t be read. Save it in a newer format (docx, xlsx or pptx) and upload it again.',
  otherOffice: 'This kind of document can’t be read. Export it as docx, xlsx, pptx or PDF and upload that.',
  otherPicture: 'This kind of picture can’t be read. Save it as PNG or JPEG and upload that.',
  sound: 'Sounds can’t be read. Save what is said as text (txt, srt or vtt) and upload that.',
  film: 'Videos can’t be read. Save what is said as subtitles (srt or vtt) or its pictures as PNG or JPEG, and upload those.',
  empty: 'This file is empty.',
  pictureTooLarge: 'A picture can have at most 5 MB.',
  tooManyPixels: 'This picture is too large: at most 16 megapixels, and 8,000 pixels on each side.',
  noPicture: 'This is not a picture that can be shown. Use PNG, JPEG, WebP or GIF.',
  cantOpen: 'This picture can’t be opened. Use PNG, JPEG, WebP or GIF.',
} as const;

/** A file’s type by its name; undefined for unsupported ones. A name without an extension, such as `README`, is text. */
export function fileTypeOf(name: string): { kind: FileKind; type: string } | undefined {
  return FILE_TYPES.get(endingOf(name));
}

/** Whether a file is a picture that models take, by its name. */
export const isPictureName = (name: string): boolean => PICTURE_TYPES.includes(fileTypeOf(name)?.type ?? '');

function endingOf(name: string): string {
  const at = name.lastIndexOf('.');
  return at < 0 ? 'txt' : name.slice(at + 1).toLowerCase();
}

/** Kinds of files that people have, with what they can save them as. */
const OTHERS = new Map(
  (
    [
      ['old', 'doc xls ppt dot xlt pps xlsb'],
      ['otherOffice', 'pages numbers key wpd wps one pub vsd vsdx'],
      ['otherPicture', 'heic heif hif avif tif tiff jxl jp2 jpx jfif ico icns psd svg raw dng cr2 cr3 nef arw'],
      ['sound', 'mp3 m4a m4b aac wav flac ogg oga opus wma amr aif aiff caf mid midi'],
      ['film', 'mp4 m4v mov avi mkv webm wmv mpg mpeg 3gp flv ogv'],
    ] as const
  ).flatMap(([sentence, endings]) => endings.split(' ').map((ending) => [ending, FILE_SENTENCES[sentence]] as const)),
);

/** Why a file is refused that nobody has looked into yet; undefined when it may be sent. */
export function refusal({ name, size }: { name: string; size: number }): string | undefined {
  if (size === 0) return FILE_SENTENCES.empty;
  if (fileTypeOf(name) === undefined) return OTHERS.get(endingOf(name)) ?? FILE_SENTENCES.unsupported;
  return size > FILE_LIMITS.bytes ? FILE_SENTENCES.tooLarge : undefined;
}

/** `uploading`: its bytes are being stored; `reading`: its text is being extracted; `failed`: `error` says why. */
export const fileState = z.enum(['uploading', 'reading', 'ready', 'failed']);

export const agentFileEntry = z.object({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  /** Its download address. */
  url: z.string(),
  uploadedAt: instant,
  /** In bytes. */
  size: z.number().int(),
  state: fileState,
  error: z.string().optional(),
  /** For `ready`: what was kept, if not the whole file. */
  note: z.string().optional(),
  /** For `reading`: how far, for people: `page 30 of 200`. */
  progress: z.string().optional(),
});
export type AgentFileEntry = z.infer<typeof agentFileEntry>;

export const fileAnswer = z.object({ file: agentFileEntry });
export const filesAnswer = z.object({ files: z.array(agentFileEntry), nextCursor: z.string().nullable() });

/** The text of a file as the agent sees it, in order. */
export const passagesAnswer = z.object({
  file: agentFileEntry,
  passages: z.array(z.object({ id: z.string(), place: z.string(), text: z.string() })),
});

export const fileCalls = calls(under('/api/agents/:agentId/files', { who: 'pro' }), {
  list: get('', 'listFiles', 'The files of an agent.', { query: pageQuery, answer: filesAnswer }),
  add: create('', 'addFile', 'Gives an agent a file.', {
    rate: 'uploads',
    place: 'uploads',
    body: upload,
    answer: fileAnswer,
    fails: ['limit_reached', 'unsupported_type'],
  }),
  get: get('/:fileId', 'downloadFile', 'The file itself.', {
    answer: { type: 'application/octet-stream', download: true },
  }),
  read: get('/:fileId/passages', 'readFile', 'The text of a file.', { answer: passagesAnswer }),
  remove: remove('/:fileId', 'deleteFile', 'Deletes a file.'),
  restore: post('/:fileId/restore', 'restoreFile', 'Takes a deletion back.', {
    answer: fileAnswer,
    fails: ['limit_reached', 'conflict'],
  }),
});
