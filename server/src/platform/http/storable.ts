import type { Context, MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import { AppError } from '../errors.ts';
import { parsedJson } from '../parsed-json.ts';

/** The refusal of a text that PostgreSQL can't store: it takes neither NUL nor half of a surrogate pair. */
export const UNSTORABLE = 'The text contains a character that can’t be stored.';

const FIELD_CHARS = 100;
const isStorable = (text: string) => !text.includes('\0') && text.isWellFormed();
const refuse = (field: string) => new AppError('invalid_input', UNSTORABLE, { field: field.slice(0, FIELD_CHARS) });

/** Refuses a path or a query with a NUL: 400 that names the part. (An address can't contain half of a surrogate pair.) */
export const refuseUnstorableAddress: MiddlewareHandler = async (c, next) => {
  if (c.req.url.includes('%00') || c.req.url.includes('\0')) throw refuse(partOf(c));
  await next();
};

/** The same for a JSON body, keys included, at any depth. Needs a body limit before it. */
export const refuseUnstorableBody: MiddlewareHandler = async (c, next) => {
  const type = c.req.header('content-type') ?? '';
  if (!['GET', 'HEAD'].includes(c.req.method) && !type.startsWith('multipart/')) {
    const field = unstorableField(parse(await c.req.text()));
    if (field !== null) throw refuse(field);
  }
  await next();
};

/** The body's reader reports invalid JSON. */
function parse(text: string): unknown {
  // JSON can contain these only as escapes, and most texts have none.
  return /\\u(?:0000|d[89a-f])/iu.test(text) ? parsedJson(text) : null;
}

/** The path of the first text in a JSON value that can't be stored, such as `agent.tags.0`; null when there is none. */
export function unstorableField(json: unknown): string | null {
  // No recursion: the sender decides how deep a value is.
  const open: { path: string; value: unknown }[] = [{ path: '', value: json }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { path, value } = next;
    if (typeof value === 'string' && !isStorable(value)) return path;
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, inner] of Object.entries(value).reverse()) {
      const at = path === '' ? key : path.length > FIELD_CHARS ? path : `${path}.${key}`;
      if (!isStorable(key)) return at.toWellFormed().replaceAll('\0', '\uFFFD');
      open.push({ path: at, value: inner });
    }
  }
  return null;
}

/** The name of the parameter with the NUL; `path` when no route names it. */
function partOf(c: Context): string {
  const { pathname, searchParams } = new URL(c.req.url);
  const query = [...searchParams].find(([name, value]) => `${name}${value}`.includes('\0'));
  if (query !== undefined) return query[0].replaceAll('\0', '\uFFFD');
  const pattern = matchedRoutes(c).findLast(({ path }) => path.includes(':'))?.path ?? '';
  const segment = pathname.split('/').findIndex((part) => part.includes('%00'));
  const name = pattern.split('/')[segment] ?? '';
  return name.startsWith(':') ? name.slice(1) : 'path';
}
