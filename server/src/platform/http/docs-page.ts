import { PRODUCT_NAME } from '@atelier/contract/product';
import { escapeHtml } from './escape-html.ts';
import { FOR_PRO } from './open-api.ts';

interface Described {
  summary?: string;
  description?: string;
  security?: unknown[];
  parameters?: unknown[];
  requestBody?: unknown;
}

/** The API description for people: one table, without scripts. */
export function docsPage(spec: { paths?: object }): string {
  const rows = Object.entries(spec.paths ?? {}).flatMap(([path, methods]: [string, Record<string, Described>]) =>
    Object.entries(methods).map(([method, { summary = '', description, security, parameters, requestBody }]) => {
      const isPro = description?.startsWith(FOR_PRO);
      const access = security?.length === 0 ? 'For everybody.' : isPro ? FOR_PRO : 'For signed-in users.';
      const input = [...(parameters ?? []), ...(requestBody === undefined ? [] : [requestBody])];
      const shape = input.length === 0 ? '' : `<pre>${escapeHtml(JSON.stringify(input, null, 1))}</pre>`;
      return `<tr><td><code>${method.toUpperCase()} ${escapeHtml(path)}</code><br>${escapeHtml(summary)}<td>${access}<td>${
        shape === '' ? '' : `<details><summary>input</summary>${shape}</details>`
      }`;
    }),
  );
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><title>${PRODUCT_NAME}: the interface</title>
<main><h1>${PRODUCT_NAME}: the interface</h1><p>The same for programs: <a href="/api/openapi.json">openapi.json</a>.</p>
<table><thead><tr><th>Call<th>Who<th>Input</thead><tbody>${rows.join('\n')}</tbody></table></main></html>`;
}
