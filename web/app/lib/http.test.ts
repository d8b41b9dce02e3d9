import { calls, get, put } from '@atelier/contract/calls';
import { SENTENCES } from '@atelier/contract/errors';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { ApiError, addressOf, call, errorText, fetchPages, leaveBy, readError, request } from './http.ts';

const answerWith = (body: string, init?: ResponseInit) => vi.stubGlobal('fetch', async () => new Response(body, init));
const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.fail('it did not refuse'),
    (e: unknown) => e,
  );

afterEach(() => void vi.unstubAllGlobals());

describe('reading a refusal', () => {
  it('takes code, sentence and field of our own shape', () => {
    const body = { error: { code: 'invalid_input', message: 'Name is required.', field: 'name' } };
    expect(readError(400, body, new Headers())).toMatchObject({
      status: 400,
      code: 'invalid_input',
      message: 'Name is required.',
      field: 'name',
    });
  });
  it("takes the identity provider's shape", () => {
    const body = { code: 'INVALID_EMAIL_OR_PASSWORD', message: 'Invalid email or password' };
    expect(readError(401, body, new Headers())).toMatchObject({ status: 401, ...body });
  });
  it('names a 429 that comes without a code, with the time to wait', () => {
    const error = readError(429, { message: 'Too many requests.' }, new Headers({ 'x-retry-after': '7' }));
    expect(error).toMatchObject({ code: 'too_many_requests', retryAfter: 7, message: 'Too many requests.' });
  });
  it.each([undefined, null, 'text', [], { error: 'x' }])('always has a sentence: %j', (body) => {
    expect(readError(502, body, new Headers()).message).toBe(
      'The server answered with an error (502). Please try again.',
    );
  });
  it('names the proxy that takes nothing of this size', () => {
    const sentence = 'in front of this server refuses files of this size. The operator can raise its limit.';
    expect(readError(413, undefined, new Headers({ server: 'nginx/1.22.1' })).message).toBe(
      `The proxy “nginx” ${sentence}`,
    );
    expect(readError(413, undefined, new Headers()).message).toBe(`A proxy ${sentence}`);
  });
});

it('fetches every page of a list, in order', async () => {
  const list = ['a', 'b', 'c'];
  const fetchPage = async (cursor = '0') => {
    const next = Number(cursor) + 1;
    return { item: list[Number(cursor)], nextCursor: next < list.length ? `${next}` : null };
  };
  expect((await fetchPages(fetchPage)).map(({ item }) => item)).toEqual(list);
});

describe('a call', () => {
  const thing = calls('/api/things/:thingId', {
    show: get('', 'show', 'Shows.', { query: z.object({ q: z.string(), limit: z.coerce.number().optional() }) }),
    name: put('/name', 'name', 'Names.', { body: z.object({ name: z.string() }), answer: z.object({ n: z.number() }) }),
  });
  const params = { thingId: 'a/b' };

  it('goes to its address, with what is asked and sent', async () => {
    expect(addressOf(thing.show, { params, query: { q: 'x y', limit: undefined } })).toBe('/api/things/a%2Fb?q=x+y');
    const asked = vi.fn(async () => new Response('{"n":1,"more":2}'));
    vi.stubGlobal('fetch', asked);
    expect(await call(thing.name, { params, body: { name: 'Ada' } })).toEqual({ n: 1 });
    const sent = { method: 'PUT', body: '{"name":"Ada"}' };
    expect(asked).toHaveBeenCalledWith('/api/things/a%2Fb/name', expect.objectContaining(sent));
  });
  it('that answers nothing resolves with nothing', async () => {
    vi.stubGlobal('fetch', async () => new Response(null, { status: 204 }));
    expect(await call(thing.show, { params, query: { q: 'x' } })).toBeUndefined();
  });
});

describe('a request', () => {
  const schema = z.object({ n: z.number() });

  it('returns the checked answer', async () => {
    answerWith('{"n":1,"more":2}');
    expect(await request(schema, 'GET', '/x')).toEqual({ n: 1 });
  });
  it('refuses an answer of another shape', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    answerWith('{"n":"1"}');
    expect(await refusal(request(schema, 'GET', '/x'))).toMatchObject({ code: 'unexpected_answer' });
  });
  it('survives an error page that is not JSON', async () => {
    answerWith('<html>', { status: 503 });
    expect(await refusal(request(schema, 'GET', '/x'))).toMatchObject({ status: 503, code: 'unknown' });
  });
  it('says that the server could not be reached', async () => {
    vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('Failed to fetch')));
    const error = await refusal(request(schema, 'GET', '/x'));
    expect(error).toMatchObject({ status: 0, code: 'offline', message: SENTENCES.offline });
  });
  it('says that the server did not answer in time', async () => {
    vi.stubGlobal('fetch', (_: string, { signal }: RequestInit) => rejectOnAbort(signal));
    const error = await refusal(request(schema, 'GET', '/x', undefined, { timeoutMs: 5 }));
    expect(error).toMatchObject({ status: 0, code: 'timeout', message: SENTENCES.timeout });
  });
  it('passes an abort of the caller on as what it is', async () => {
    vi.stubGlobal('fetch', (_: string, { signal }: RequestInit) => rejectOnAbort(signal));
    const controller = new AbortController();
    const error = refusal(request(schema, 'GET', '/x', undefined, { signal: controller.signal }));
    controller.abort();
    expect(await error).not.toBeInstanceOf(ApiError);
  });
});

function rejectOnAbort(signal: AbortSignal | null | undefined): Promise<Response> {
  return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
}

describe('a request during a sign-out', () => {
  const shape = z.object({ name: z.string() });

  /** Begins a sign-out and then a request; returns the addresses that the server heard. */
  function leaveAndAsk(signal = new AbortController().signal) {
    const heard: string[] = [];
    const signOut = Promise.withResolvers<Response>();
    vi.stubGlobal('fetch', (path: string) => {
      heard.push(path);
      return path === '/leave' ? signOut.promise : Promise.resolve(new Response('{"name":"Ada"}'));
    });
    const left = leaveBy(() => request(z.undefined(), 'POST', '/leave'));
    return { heard, signOut, left, asked: request(shape, 'GET', '/me', undefined, { signal }) };
  }

  it('is never made once the person is gone', async () => {
    const { heard, signOut, left, asked } = leaveAndAsk();
    signOut.resolve(new Response(''));
    expect(await refusal(asked)).toMatchObject({ status: 401, code: 'signed_out', message: SENTENCES.signedOut });
    await left;
    expect(heard).toEqual(['/leave']);
    expect(await request(shape, 'GET', '/public')).toEqual({ name: 'Ada' });
  });

  it('is made where the server could not be reached', async () => {
    const { heard, signOut, left, asked } = leaveAndAsk();
    expect(heard).toEqual(['/leave']);
    signOut.reject(new TypeError('failed to fetch'));
    expect(await refusal(left)).toMatchObject({ code: 'offline' });
    expect(await asked).toEqual({ name: 'Ada' });
    expect(heard).toEqual(['/leave', '/me']);
  });

  it('is a second sign-out: the first one counts', async () => {
    const { heard, signOut, left, asked } = leaveAndAsk();
    const again = leaveBy(() => request(z.undefined(), 'POST', '/leave'));
    signOut.resolve(new Response(''));
    await Promise.all([left, again, refusal(asked)]);
    expect(heard).toEqual(['/leave']);
  });

  it('ends with its signal', async () => {
    const ending = new AbortController();
    const { heard, signOut, left, asked } = leaveAndAsk(ending.signal);
    ending.abort();
    expect(await refusal(asked)).toBe(ending.signal.reason);
    signOut.resolve(new Response(''));
    await left;
    expect(heard).toEqual(['/leave']);
  });

  it('goes on afterwards if anyone may ask it', async () => {
    const { heard, signOut, left, asked } = leaveAndAsk();
    const open = get('/open', 'open', 'For anyone.', { who: 'public', answer: shape });
    const answers = Promise.all([call(open), refusal(asked)]);
    signOut.resolve(new Response(''));
    expect(await answers).toMatchObject([{ name: 'Ada' }, { status: 401 }]);
    await left;
    expect(heard).toEqual(['/leave', '/open']);
  });
});

describe('the sentence of an error', () => {
  it("is the server's", () => expect(errorText(new ApiError(409, 'conflict', 'Taken.'))).toBe('Taken.'));
  it('never shows the inside of a defect', () => expect(errorText(new TypeError('x is not'))).toBe(SENTENCES.boundary));
});
