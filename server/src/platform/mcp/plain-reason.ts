import { isRecord, parsedJson } from '../parsed-json.ts';

/** A longer text is no reason. */
const REASON_MAX = 100_000;
const ISSUES_MAX = 5;
const UNREADABLE = 'it doesn’t have the form that was described';
/** What stands in the lists that Zod and Ajv give out as JSON. */
const OF_VALIDATORS =
  /(?:instancePath|schemaPath|unionErrors)\\?"\s{0,9}:|code\\?"\s{0,9}:\s{0,9}\\?"(?:invalid_|unrecognized_|too_|not_multiple_of|custom)/;

/** A server's reason in words: what a validator found in it, a list in JSON, becomes a sentence of its messages. */
export function plainReason(text: string): string {
  const bounded = text.slice(0, REASON_MAX).replace(/^MCP error -?\d+: /u, '');
  const start = OF_VALIDATORS.test(bounded) ? bounded.search(/[[{]\s{0,99}[{"]/) : -1;
  if (start === -1) return bounded;
  const end = Math.max(bounded.lastIndexOf(']'), bounded.lastIndexOf('}')) + 1;
  const issues = issuesOf(parsedJson(bounded.slice(start, end)));
  const sentence = issues.length === 0 ? UNREADABLE : issues.slice(0, ISSUES_MAX).join('; ');
  return `${bounded.slice(0, start)}${sentence}${issues.length === 0 ? '' : bounded.slice(end)}`.trim();
}

/** What is wrong and where, of the lists of Zod and Ajv and of errors around them. */
function issuesOf(value: unknown): string[] {
  if (isRecord(value)) {
    const inner = value.issues ?? value.errors ?? value.error;
    if (inner !== undefined) return issuesOf(inner);
    return typeof value.message === 'string' ? issuesOf(parsedJson(value.message)) : [];
  }
  if (!Array.isArray(value)) return [];
  return value.flatMap((issue: unknown) => {
    if (!isRecord(issue) || typeof issue.message !== 'string') return [];
    const at = Array.isArray(issue.path) ? issue.path.join('.') : String(issue.instancePath ?? '').slice(1);
    return [at === '' ? issue.message : `${at}: ${issue.message}`];
  });
}
