import { cpSync, existsSync, readdirSync, readFileSync, rmSync, watch } from 'node:fs';
import { type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { copyFrameParts } from '../copy-frame-parts.ts';

/** What the server answers itself; every other address is a page or one of its parts. */
const SERVERS_OWN =
  /^\/(?:(?:api|v1|mcp|frames|sandbox|healthz|readyz|metrics)(?:[/?]|$)|robots\.txt|sitemap\.xml|assets\/mermaid-)/u;

export const isServersOwn = (url: string) => SERVERS_OWN.test(url);

/**
 * Headers as the server wants them: it knows one address, and a page opened at another name of this machine (127.0.0.1 for localhost) counts
 * as that one. A request from a page of elsewhere keeps its origin, which the server refuses.
 */
export function withOwnName(headers: IncomingHttpHeaders, site: string): IncomingHttpHeaders {
  const { host, port, protocol } = new URL(site);
  const names = ['127.0.0.1', '[::1]', 'localhost'].map((name) => `${name}:${port || '80'}`);
  if (!names.includes(host) || !names.includes(headers.host ?? '')) return headers;
  const isOwn = headers.origin === `${protocol}//${headers.host}`;
  return { ...headers, host, ...(isOwn ? { origin: site } : {}) };
}

interface Behind {
  port: number;
  /** The address that people open, without a path. */
  site: string;
  /** Whether the server listens, after a start that is under way. */
  ready(): Promise<boolean>;
}

function refuse(res: ServerResponse, message: string): void {
  if (res.headersSent) {
    res.destroy();
    return;
  }
  res.writeHead(503, { 'content-type': 'application/json' });
  res.end(JSON.stringify({ error: { code: 'unavailable', message } }));
}

/** Passes on what is the server's own, streams included; waits while the server restarts. */
export function passOn({ port, site, ready }: Behind) {
  return async (req: IncomingMessage, res: ServerResponse, next: () => void) => {
    if (!isServersOwn(req.url ?? '/')) return next();
    if (!(await ready())) return refuse(res, 'The server does not run. The terminal of npm run dev says why.');
    // Behind a proxy that nobody named, the server must see what a request from there looks like.
    const via = req.httpVersion === '1.0' ? { via: '1.0 dev' } : {};
    const headers = { ...withOwnName(req.headers, site), ...via };
    const asked = request({ host: '127.0.0.1', port, method: req.method, path: req.url, headers }, (answer) => {
      answer.on('error', () => res.destroy());
      if (res.destroyed) return void answer.destroy();
      res.writeHead(answer.statusCode ?? 502, answer.headers);
      res.flushHeaders();
      answer.pipe(res);
    });
    asked.on('error', () => refuse(res, 'The server broke off. The terminal of npm run dev says why.'));
    // Who leaves takes the request along: the server stops what it does for it.
    res.on('close', () => asked.destroy());
    req.pipe(asked);
  };
}

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
