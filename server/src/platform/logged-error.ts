import { DrizzleQueryError } from 'drizzle-orm';

/** What may be told of an error: where it happened and of which kind it is, in words of programs alone. */
export interface LoggedError {
  /** Its class and code, those of its causes behind it. */
  error: string;
  stack?: string[];
}

const CAUSES = 5;
const FRAMES = 8;
const WORD = /^[\w$.-]{1,80}$/u;

/**
 * An error without its message: messages repeat values (a statement's, a file's, a provider's answer), which may be a person's words.
 * Kept are classes, codes, names of the schema and the lines of the stack.
 */
export function logged(error: unknown): LoggedError {
  if (!(error instanceof Error)) return { error: `a thrown ${error === null ? 'null' : typeof error}` };
  const chain: string[] = [];
  for (let e: unknown = error; e instanceof Error && chain.length < CAUSES; e = e.cause) chain.push(nameOf(e));
  return { error: chain.join(' < '), stack: framesOf(error) };
}

/** The same as an error that may be stored or handed to a library, which would write down the original with all that hangs on it. */
export function withoutWords(error: unknown): Error {
  const { error: message, stack = [] } = logged(error);
  const safe = new Error(message);
  safe.stack = [`Error: ${message}`, ...stack.map((frame) => `    ${frame}`)].join('\n');
  return safe;
}

/** Why a start failed, for the operator: the error's own sentence, or of a failed statement what is safe of it. */
export const sentenceOf = (error: unknown): string =>
  error instanceof Error && !(error instanceof DrizzleQueryError) ? error.message : logged(error).error;

/** Names of the schema are ours; numbers and words in capitals are codes of programs. */
function nameOf(error: Error): string {
  const parts = ['code', 'status', 'statusCode', 'syscall', 'table', 'constraint', 'column']
    .map((key) => [key, Reflect.get(error, key)] as const)
    .filter(([, value]) => typeof value === 'number' || (typeof value === 'string' && WORD.test(value)))
    .map(([key, value]) => `${key}=${value}`);
  return [WORD.test(error.name) ? error.name : 'Error', ...parts].join(' ');
}

/** The lines of the stack that begin with `at`; those behind the message, for a message may hold such lines too. */
function framesOf({ stack = '', message }: Error): string[] {
  const start = message === '' ? -1 : stack.indexOf(message);
  const lines = stack.slice(start < 0 ? 0 : start + message.length).split('\n');
  const last = lines.findLastIndex((line) => !/^ {4}at \S/u.test(line));
  return lines.slice(last + 1, last + 1 + FRAMES).map((line) => line.trim());
}
