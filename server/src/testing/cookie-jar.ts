import type { TestApp } from './harness.ts';

/** A browser that keeps its cookies; it begins with `cookies`. */
export function cookieJar(app: TestApp, cookies = '') {
  const jar = new Map(
    cookies
      .split('; ')
      .filter(Boolean)
      .map((pair) => [pair.split('=')[0] ?? '', pair]),
  );
  const request = async (method: string, path: string, body?: unknown) => {
    const headers = { cookie: [...jar.values()].join('; ') };
    const answer = await app.request(method, path, { ...(body === undefined ? {} : { body }), headers });
    for (const line of answer.headers.getSetCookie()) {
      const [pair = '', ...rest] = line.split(';');
      const name = pair.split('=')[0] ?? '';
      if (rest.some((part) => part.trim() === 'Max-Age=0')) jar.delete(name);
      else jar.set(name, pair);
    }
    return answer;
  };
  return { request, me: async () => (await request('GET', '/api/me')).body };
}
