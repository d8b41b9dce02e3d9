import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';

/** JSON as people write it by hand: comments and commas at the end are allowed. Throws a sentence with the line. */
export function readJsonWithComments(text: string): unknown {
  const errors: ParseError[] = [];
  // Windows editors may begin a file with a byte order mark.
  const whole = text.replace(/^\uFEFF/u, '');
  const value: unknown = parse(whole, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first === undefined) return value;
  const before = whole.slice(0, first.offset).split('\n');
  const what = printParseErrorCode(first.error).replaceAll(/(?<=[a-z])[A-Z]/gu, (letter) => ` ${letter.toLowerCase()}`);
  throw new Error(`line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}: ${what}`);
}
