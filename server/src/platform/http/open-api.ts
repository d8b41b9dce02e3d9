import { ERROR_STATUS } from '@atelier/contract/errors';
import { PRODUCT_NAME } from '@atelier/contract/product';
import type { Env, Hono, MiddlewareHandler } from 'hono';
import { describeRoute, generateSpecs } from 'hono-openapi';

type Access = 'public' | 'user' | 'pro';

const ANSWERS: Record<Access, Record<string, { description: string }>> = {
  public: {},
  user: { 401: { description: 'Nobody is signed in.' } },
  pro: { 401: { description: 'Nobody is signed in.' }, 403: { description: 'The account is not Pro.' } },
};

/** Adds to the API description who may call a route, taken from the middleware that decides it. */
export function describeAccess<M extends MiddlewareHandler>(middleware: M, rule: Access): M {
  const description = describeRoute({
    responses: { 200: { description: 'Done.' }, ...ANSWERS[rule] },
    ...(rule === 'public' ? { security: [] } : { security: [{ session: [] }] }),
    ...(rule === 'pro' ? { description: 'For Pro accounts.' } : {}),
  });
  // The library stores descriptions on the middleware under a symbol.
  return Object.assign(middleware, description);
}

const codes = Object.entries(ERROR_STATUS)
  .map(([code, status]) => `\`${code}\` ${status}`)
  .join(', ');

const documentation = {
  info: {
    title: PRODUCT_NAME,
    version: '1',
    description: `Errors are {"error": {"code", "message", "field"?}}: ${codes}. Lists page by an opaque cursor.`,
  },
  components: { securitySchemes: { session: { type: 'apiKey' as const, in: 'cookie' as const, name: 'session' } } },
};

/** The OpenAPI 3.1 description of every route, generated from the schemas that requests are checked against. */
export const describeApi = <E extends Env>(app: Hono<E>) =>
  generateSpecs(app, { documentation, includeEmptyPaths: true, exclude: [/\*/u, '/api/openapi.json', '/api/docs'] });

const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

interface Operation {
  description?: string;
  security?: unknown[];
  parameters?: unknown[];
  requestBody?: unknown;
}

/** The same for people: one table, without scripts. */
export function docsPage(spec: { paths?: object }): string {
  const rows = Object.entries(spec.paths ?? {}).flatMap(([path, methods]: [string, Record<string, Operation>]) =>
    Object.entries(methods).map(([method, { description, security, parameters, requestBody }]) => {
      const access = description ?? (security?.length === 0 ? 'For everybody.' : 'For signed-in users.');
      const input = [...(parameters ?? []), ...(requestBody === undefined ? [] : [requestBody])];
      const shape = input.length === 0 ? '' : `<pre>${escape(JSON.stringify(input, null, 1))}</pre>`;
      return `<tr><td><code>${method.toUpperCase()} ${escape(path)}</code><td>${access}<td>${
        shape === '' ? '' : `<details><summary>input</summary>${shape}</details>`
      }`;
    }),
  );
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><title>${PRODUCT_NAME}: the interface</title>
<main><h1>${PRODUCT_NAME}: the interface</h1><p>The same for programs: <a href="/api/openapi.json">openapi.json</a>.</p>
<table><thead><tr><th>Call<th>Who<th>Input</thead><tbody>${rows.join('\n')}</tbody></table></main></html>`;
}
