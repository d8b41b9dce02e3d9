import JSON5 from 'json5';

/** JSON as people write it by hand: comments and commas at the end are allowed. Throws a sentence with the line. */
export function readJsonWithComments(text: string): unknown {
  try {
    // Windows editors may begin a file with a byte order mark.
    return JSON5.parse(text.replace(/^\uFEFF/u, ''));
  } catch (error) {
    const [, what = '', line = '', column = ''] =
      error instanceof Error ? (/^JSON5: (.*) at (\d+):(\d+)$/u.exec(error.message) ?? []) : [];
    throw new Error(line === '' ? 'it is no JSON' : `line ${line}, column ${column}: ${what}`);
  }
}
