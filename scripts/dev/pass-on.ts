import { cpSync, existsSync, readdirSync, readFileSync, rmSync, watch } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { ProxyOptions } from 'vite';
import { copyFrameParts } from '../copy-frame-parts.ts';

/** What the server answers itself; every other address is a page or one of its parts. */
export const SERVERS_OWN =
  /^\/(?:(?:api|v1|mcp|frames|sandbox|healthz|readyz|metrics)(?:[/?]|$)|robots\.txt|sitemap\.xml|assets\/mermaid-)/u;

/**
 * Headers as the server wants them: it knows one address, and a page opened at another name of this machine (127.0.0.1 for localhost) counts
 * as that one. A request from a page of elsewhere keeps its origin, which the server refuses.
 */
export function headersOf({ headers, httpVersion }: Pick<IncomingMessage, 'headers' | 'httpVersion'>, site: string) {
  const { host, port, protocol } = new URL(site);
  const names = ['127.0.0.1', '[::1]', 'localhost'].map((name) => `${name}:${port || '80'}`);
  const isOwn = headers.origin === `${protocol}//${headers.host}`;
  const own =
    names.includes(host) && names.includes(headers.host ?? '') ? { host, ...(isOwn && { origin: site }) } : {};
  // Behind a proxy that nobody named, the server must see what a request from there looks like.
  return { ...headers, ...own, ...(httpVersion === '1.0' && { via: '1.0 dev' }) };
}

interface Behind {
  port: number;
  /** The address that people open, without a path. */
  site: string;
  /** Whether the server listens, after a start that is under way. */
  ready(): Promise<boolean>;
}

function refuse(res: ServerResponse, message: string): void {
  res.writeHead(503, { 'content-type': 'application/json' });
  res.end(JSON.stringify({ error: { code: 'unavailable', message } }));
}

/** Vite's setting that passes on what is the server's own; waits while the server restarts. */
export const passOn = ({ port, site, ready }: Behind): Record<string, ProxyOptions> => ({
  [SERVERS_OWN.source]: {
    target: `http://127.0.0.1:${port}`,
    async bypass(req, res) {
      req.headers = headersOf(req, site);
      if (res === undefined || (await ready())) return undefined;
      refuse(res, 'The server does not run. The terminal of npm run dev says why.');
      return req.url;
    },
    configure: (proxy) =>
      void proxy.on('error', (_, _req, res) => {
        if ('headersSent' in res && !res.headersSent)
          refuse(res, 'The server broke off. The terminal of npm run dev says why.');
        else res.destroy();
      }),
  },
});

/** Served by the server, because they depend on its headers. */
const FOLDERS = ['frames', 'sandbox'];

/** Copies what differs into the built pages; a build that was changed is no longer that of its sources. */
function copyChanged(web: string): void {
  for (const folder of FOLDERS) {
    for (const name of readdirSync(join(web, 'public', folder))) {
      const [from, to] = ['public', 'build/client'].map((place) => join(web, place, folder, name)) as [string, string];
      if (existsSync(to) && readFileSync(from).equals(readFileSync(to))) continue;
      cpSync(from, to);
      for (const file of [`${to}.br`, `${to}.gz`, join(web, 'build', 'built-from')]) rmSync(file, { force: true });
    }
  }
}

/** Puts the frames and Mermaid where the server finds them, without a build of the pages, and follows their changes. */
export function serveFrames(web: string): { close(): void } {
  copyChanged(web);
  copyFrameParts(join(web, 'build', 'client'));
  const watchers = FOLDERS.map((folder) => watch(join(web, 'public', folder), () => copyChanged(web)));
  return {
    close: () => {
      for (const watcher of watchers) watcher.close();
    },
  };
}
