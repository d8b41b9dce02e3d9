import { createServer, type RequestListener } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listen } from '../../server/src/testing/listen.ts';
import { isServersOwn, passOn, withOwnName } from './pass-on.ts';

async function serve(handler: RequestListener) {
  const { port, origin, close } = await listen(createServer(handler));
  onTestFinished(close);
  return { port, origin };
}

/** The address of a front before a server that answers by the given handler. */
async function front(handler: RequestListener, ready = async () => true): Promise<string> {
  const { port } = await serve(handler);
  const pass = passOn({ port, site: 'http://localhost:3000', ready });
  return (await serve((req, res) => void pass(req, res, () => res.end('a page')))).origin;
}

it('tells the addresses of the server from pages', () => {
  const server = [
    '/api/me',
    '/v1/models',
    '/mcp/nora',
    '/healthz',
    '/metrics?x',
    '/frames/preview.html',
    '/robots.txt',
  ];
  const pages = ['/', '/login', '/apiary', '/mcps', '/framework', '/assets/other.js', '/@vite/client', '/shared/abc'];
  expect(server.filter((path) => !isServersOwn(path))).toEqual([]);
  expect(pages.filter(isServersOwn)).toEqual([]);
});

describe('the name of this machine', () => {
  const site = 'http://localhost:3000';
  it('may be another one, for pages of ours', () => {
    const headers = { host: '127.0.0.1:3000', origin: 'http://127.0.0.1:3000', cookie: 'a' };
    expect(withOwnName(headers, site)).toEqual({ host: 'localhost:3000', origin: site, cookie: 'a' });
  });
  it('leaves every other origin as it is', () => {
    const foreign = { host: '127.0.0.1:3000', origin: 'http://evil.example' };
    expect(withOwnName(foreign, site).origin).toBe('http://evil.example');
    const otherName = { host: 'localhost:3000', origin: 'http://127.0.0.1:3000' };
    expect(withOwnName(otherName, site).origin).toBe('http://127.0.0.1:3000');
    const rebound = { host: 'evil.example:3000', origin: 'http://evil.example:3000' };
    expect(withOwnName(rebound, site)).toEqual(rebound);
    const named = { host: '127.0.0.1:3000', origin: 'http://127.0.0.1:3000' };
    expect(withOwnName(named, 'https://atelier.example')).toEqual(named);
  });
});

describe('passing on', () => {
  it('keeps method, body, status and headers, and leaves pages alone', async () => {
    const url = await front((req, res) => {
      res.writeHead(201, { 'content-security-policy': 'sandbox', 'set-cookie': ['a=1', 'b=2'] });
      req.pipe(res);
    });
    const answer = await fetch(`${url}/api/agents`, { method: 'POST', body: 'hello' });
    expect([answer.status, await answer.text()]).toEqual([201, 'hello']);
    expect(answer.headers.get('content-security-policy')).toBe('sandbox');
    expect(answer.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(await (await fetch(`${url}/login`)).text()).toBe('a page');
  });

  it('tells of HTTP/1.0, which a proxy in front may speak', async () => {
    const url = new URL(await front((req, res) => res.end(`via ${req.headers.via}`)));
    const ask = async (version: string) => {
      const socket = connect(Number(url.port), '127.0.0.1');
      socket.write(`GET /api/me HTTP/${version}\r\nHost: ${url.host}\r\nConnection: close\r\n\r\n`);
      let answer = '';
      for await (const chunk of socket) answer += chunk;
      return answer;
    };
    expect(await ask('1.0')).toContain('via 1.0 dev');
    expect(await ask('1.1')).toContain('via undefined');
  });

  it('lets a stream through as it comes, and ends it when its reader leaves', async () => {
    const left = Promise.withResolvers<void>();
    const url = await front((req, res) => {
      res.write('first');
      req.on('close', () => left.resolve());
    });
    const reading = new AbortController();
    const { body } = await fetch(`${url}/api/live`, { signal: reading.signal });
    const { value } = (await body?.getReader().read()) ?? {};
    expect(new TextDecoder().decode(value)).toBe('first');
    reading.abort();
    await left.promise;
  });

  it('says so when the server does not run', async () => {
    const answer = await fetch(
      `${await front(
        (_, res) => res.end(),
        async () => false,
      )}/api/me`,
    );
    expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining('npm run dev')]);
  });
});
