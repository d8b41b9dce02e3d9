import { describe, expect, it } from 'vitest';
import { headersOf, SERVERS_OWN } from './pass-on.ts';

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
  expect(server.filter((path) => !SERVERS_OWN.test(path))).toEqual([]);
  expect(pages.filter((path) => SERVERS_OWN.test(path))).toEqual([]);
});

const withOwnName = (headers: Record<string, string>, site: string) => headersOf({ headers, httpVersion: '1.1' }, site);

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

it('tells of HTTP/1.0, which a proxy in front may speak', () =>
  expect(headersOf({ headers: {}, httpVersion: '1.0' }, 'http://localhost:3000')).toEqual({ via: '1.0 dev' }));
