import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';
import { DrizzleQueryError } from 'drizzle-orm';

/** What may be logged about an error: where it happened and its kind, in a program's words only. */
export interface LoggedError {
  /** Its class and code, followed by those of its causes. */
  error: string;
  stack?: string[];
}

const CAUSES = 5;
const FRAMES = 8;
const WORD = /^[\w$.-]{1,80}$/u;
/** Names that the operator chose, and hosts. */
const NAME = /^[\w$.:/@+-]{1,120}$/u;
/** Which part of the installation it was; what the other side answered; where it happened. */
const FIELDS = new Map<string, RegExp>([
  ['provider', NAME],
  ['model', NAME],
  ['bucket', NAME],
  ['server', /^[\w $.:/@+()-]{1,120}$/u],
  ['code', WORD],
  ['status', WORD],
  ['statusCode', WORD],
  ['responseCode', WORD],
  ['type', WORD],
  ['error', WORD],
  ['syscall', WORD],
  ['address', NAME],
  ['hostname', NAME],
  ['port', WORD],
  ['path', /^[^\n]{1,300}$/u],
  ['table', WORD],
  ['constraint', WORD],
  ['column', WORD],
]);

/**
 * An error without its message, because messages repeat values (of a statement, a file, a provider's answer) that may be a person's words.
 * Keeps classes, codes, names of the installation and of the schema, and stack lines.
 */
export function logged(error: unknown): LoggedError {
  if (!(error instanceof Error)) {
    const fields = typeof error === 'object' && error !== null ? fieldsOf(error) : [];
    return { error: [`a thrown ${error === null ? 'null' : typeof error}`, ...fields].join(' ') };
  }
  const chain: string[] = [];
  for (let e: unknown = error; e instanceof Error && chain.length < CAUSES; e = e.cause) chain.push(nameOf(e));
  return { error: chain.join(' < '), stack: framesOf(error) };
}

/** The same as an error that may be stored or given to a library, which would write the original with everything attached. */
export function withoutWords(error: unknown): Error {
  const { error: message, stack = [] } = logged(error);
  const safe = new Error(message);
  safe.stack = [`Error: ${message}`, ...stack.map((frame) => `    ${frame}`)].join('\n');
  return safe;
}

/** Why a start failed, for the operator: the error's own sentence, or the safe part of a failed statement. */
export const sentenceOf = (error: unknown): string =>
  error instanceof Error && !(error instanceof DrizzleQueryError) ? error.message : logged(error).error;

/** A value that is one word of a program, such as the code of an error; null for anything else. */
export const wordIn = (value: unknown): string | null => (typeof value === 'string' && WORD.test(value) ? value : null);

const nameOf = (error: Error): string => [WORD.test(error.name) ? error.name : 'Error', ...fieldsOf(error)].join(' ');

function fieldsOf(error: object): string[] {
  return [...FIELDS].flatMap(([key, pattern]) => {
    // Only of the file system: elsewhere it may be an address with a secret in it.
    const value: unknown = key === 'path' && !('syscall' in error) ? undefined : Reflect.get(error, key);
    if (typeof value === 'number') return [`${key}=${value}`];
    return typeof value === 'string' && pattern.test(value) ? [`${key}=${withoutFileName(value)}`] : [];
  });
}

/** A stored file has a person's name for it at its end. */
const withoutFileName = (path: string) => path.replace(/(\/userFiles\/[^/]*\/).*/u, '$1…');

/** The stack lines that begin with `at`, after the message: a message may contain such lines too. */
function framesOf({ stack = '', message }: Error): string[] {
  const start = message === '' ? -1 : stack.indexOf(message);
  const lines = stack.slice(start < 0 ? 0 : start + message.length).split('\n');
  const last = lines.findLastIndex((line) => !/^ {4}at \S/u.test(line));
  return lines.slice(last + 1, last + 1 + FRAMES).map((line) => withSourcePosition(line.trim()));
}

/** Only where an address begins: sought in a whole line, it would read the rest of the line for each address in it. */
const POSITION = /^(?<file>file:\/\/\S+\/server\/build\/[\w.-]+\.js):(?<line>\d+):(?<column>\d+)/u;

const maps = new Map<string, SourceMap | undefined>();

/**
 * A line of a stack, with the position in the source in place of the bundle's. The maps are read with the first error that needs them: Node
 * would read all of them at each start.
 */
export function withSourcePosition(frame: string): string {
  const start = Math.max(0, frame.lastIndexOf('file://'));
  const place = frame.slice(start);
  const { file, line, column } = POSITION.exec(place)?.groups ?? {};
  if (file === undefined) return frame;
  const origin = mapOf(file)?.findOrigin(Number(line), Number(column));
  if (origin === undefined || !('fileName' in origin)) return frame;
  const source = new URL(origin.fileName, file).href;
  return frame.slice(0, start) + place.replace(POSITION, `${source}:${origin.lineNumber}:${origin.columnNumber}`);
}

function mapOf(file: string): SourceMap | undefined {
  if (!maps.has(file)) {
    const path = `${fileURLToPath(file)}.map`;
    maps.set(file, existsSync(path) ? new SourceMap(JSON.parse(readFileSync(path, 'utf8'))) : undefined);
  }
  return maps.get(file);
}
