import type { TestApp } from './harness.ts';

/** The cookies of a browser, which keeps those that answers set. */
export function browserCookies(first = '') {
  const nameOf = (pair: string) => pair.slice(0, pair.indexOf('='));
  const pairs = first.split('; ').filter(Boolean);
  const jar = new Map(pairs.map((pair) => [nameOf(pair), pair]));
  return {
    header: () => [...jar.values()].join('; '),
    keep(headers: Headers) {
      for (const line of headers.getSetCookie()) {
        const [pair = '', ...rest] = line.split(';');
        if (rest.some((part) => part.trim() === 'Max-Age=0')) jar.delete(nameOf(pair));
        else jar.set(nameOf(pair), pair);
      }
    },
  };
}

/** A browser at the app; it begins with `first`. */
export function cookieJar(app: TestApp, first = '') {
  const cookies = browserCookies(first);
  const request = async (method: string, path: string, body?: unknown) => {
    const headers = { cookie: cookies.header() };
    const answer = await app.request(method, path, { ...(body === undefined ? {} : { body }), headers });
    cookies.keep(answer.headers);
    return answer;
  };
  return { request, me: async () => (await request('GET', '/api/me')).body };
}
