import { type Call, type Raw, upload } from '@atelier/contract/calls';
import { ERROR_STATUS, type ErrorCode } from '@atelier/contract/errors';
import { PRODUCT_NAME } from '@atelier/contract/product';
import type { Env, Hono } from 'hono';
import { z } from 'zod';
import { type Components, namedSchemas, requestSchema } from './api-schemas.ts';

/** How the description begins of what only Pro accounts may call. */
export const FOR_PRO = 'For Pro accounts.';
const FOR_OPERATORS = 'For operators of this installation; nobody else finds it.';

/** A route's path as OpenAPI writes it: `/api/agents/{agentId}`. */
export const inBraces = (path: string) => path.replaceAll(/:(\w+)/gu, '{$1}');

const REFUSALS: Record<number, string> = {
  400: 'The request is not valid.',
  401: 'Nobody is signed in, or the password is wrong.',
  402: 'A limit of the account is reached.',
  403: 'The caller may not do this, needs Pro, or the request comes from a foreign page.',
  404: 'It does not exist, or not for the caller.',
  409: 'It does not fit what is there now.',
  413: 'The request is too large.',
  415: 'This type of file is not read.',
  422: 'The email is in use.',
  429: 'Too many requests. `Retry-After` says when to try again.',
  500: 'Something went wrong on the server.',
  502: 'Another server that was needed failed.',
  503: 'The server can’t do this right now. `Retry-After` says when to try again.',
};

const text = { schema: { type: 'string' } };
const HEADERS = {
  NoStore: {
    description: 'Nothing is kept by caches, and no stream is gathered on its way.',
    required: true,
    schema: { type: 'string', pattern: '^no-store(, no-transform)?$' },
  },
  RetryAfter: { description: 'Seconds to wait.', required: true, schema: { type: 'string', pattern: '^[0-9]+$' } },
  FileName: {
    description: 'The name to save it under.',
    required: true,
    schema: { type: 'string', pattern: '^attachment; ' },
  },
  SignInCookie: { description: 'The cookie of the sign-in, set or cleared.', ...text },
};
const header = (name: keyof typeof HEADERS) => ({ $ref: `#/components/headers/${name}` });

/** Statuses of refusals that a call can answer, from its kind and from what it says. */
function refusalsOf({ method, path, options }: Call): number[] {
  const changes = method !== 'GET';
  const codes: ErrorCode[] = ['invalid_input', 'internal', 'unavailable', ...(options.fails ?? [])];
  // 403 also refuses API keys.
  if (options.who !== 'public') codes.push('signed_out', 'forbidden', 'too_many_requests');
  if (changes) codes.push('forbidden', 'too_large');
  if (path.includes(':') || options.who === 'operator') codes.push('not_found');
  if (options.failure !== undefined) codes.push('too_many_requests');
  const statuses = [...codes.map((code) => ERROR_STATUS[code]), ...(options.failure && changes ? [422] : [])];
  return [...new Set(statuses)].sort((a, b) => a - b);
}

const contentOf = (part: z.ZodType | Raw): Raw =>
  part instanceof z.ZodType ? { type: 'application/json', content: part } : part;

/** All that a call may answer. */
function responsesOf(call: Call, components: Components) {
  const { answer, failure, failsAsPage, mayBeEmpty, mayStream, setsCookie } = call.options;
  const always = call.path.startsWith('/api/') ? { 'Cache-Control': header('NoStore') } : {};
  const sent = answer && contentOf(answer);
  const headers = {
    ...always,
    ...(sent?.download ? { 'Content-Disposition': header('FileName') } : {}),
    ...(setsCookie ? { 'Set-Cookie': header('SignInCookie') } : {}),
  };
  const stream = mayStream ? { 'text/event-stream': text } : {};
  const content = sent && { [sent.type]: sent.content ? { schema: components.refTo(sent.content) } : text, ...stream };
  const answers = new Map<number, object>([
    [call.status, { description: call.summary, headers, ...(content && { content }) }],
  ]);
  if (mayBeEmpty) answers.set(mayBeEmpty, { description: 'Nothing more comes.', headers: always });
  const failures = {
    'application/json': { schema: failure ? requestSchema(failure) : components.error },
    ...(failsAsPage ? { 'text/html': text } : {}),
  };
  for (const status of refusalsOf(call)) {
    const waits = status === 429 || status === 503;
    answers.set(status, {
      description: REFUSALS[status] ?? '',
      headers: { ...always, ...(waits ? { 'Retry-After': header('RetryAfter') } : {}) },
      content: failures,
    });
  }
  return Object.fromEntries(answers);
}

/** What a call takes beside its body. */
function parametersOf({ path, options: { query, headers = {} } }: Call) {
  const { properties = {}, required = [] } = query ? requestSchema(query) : {};
  const isRequired = (name: string) => (required.includes(name) ? { required: true } : {});
  return [
    ...Object.entries(properties).map(([name, schema]) => ({ in: 'query', name, schema, ...isRequired(name) })),
    ...[...path.matchAll(/:(\w+)/gu)].map(([, name]) => ({ ...text, in: 'path', name, required: true })),
    ...Object.entries(headers).map(([name, description]) => ({ in: 'header', name, description, ...text })),
  ];
}

function bodyOf(body: z.ZodType | Raw) {
  const { type, content = z.file() } = contentOf(body);
  const schema = requestSchema(body === upload ? z.object({ file: content }) : content);
  return { required: true, content: { [type]: { schema } } };
}

function describeCall(call: Call, components: Components) {
  const { who, keys = 'none', body, description } = call.options;
  const words = [who === 'pro' ? FOR_PRO : '', who === 'operator' ? FOR_OPERATORS : '', description]
    .filter(Boolean)
    .join(' ');
  return {
    operationId: call.id,
    summary: call.summary,
    ...(words === '' ? {} : { description: words }),
    security: [...(who === 'public' ? [] : [{ session: [] }]), ...(keys === 'none' ? [] : [{ key: [] }])],
    parameters: parametersOf(call),
    ...(body && { requestBody: bodyOf(body) }),
    responses: responsesOf(call, components),
  };
}

interface ApiParts {
  /** By method and path, such as `GET /api/agents/{agentId}`. */
  operations: ReadonlyMap<string, Call>;
  /** Modules of schemas; each schema is called as its export. */
  shapes: readonly object[];
  /** The name of the cookie that signs in. */
  cookie: string;
}

const codes = Object.entries(ERROR_STATUS)
  .map(([code, status]) => `\`${code}\` ${status}`)
  .join(', ');

/** The OpenAPI 3.1 description of every route, from its call. A route that `operations` doesn't name is left out. */
export function describeApi<E extends Env>(app: Hono<E>, { operations, shapes, cookie }: ApiParts) {
  const components = namedSchemas(shapes);
  const paths = new Map<string, object>();
  for (const name of new Set(app.routes.map(({ method, path }) => `${method} ${inBraces(path)}`))) {
    const call = operations.get(name);
    if (call === undefined) continue;
    const path = inBraces(call.path);
    paths.set(path, { ...paths.get(path), [call.method.toLowerCase()]: describeCall(call, components) });
  }
  return {
    openapi: '3.1.1',
    info: {
      title: PRODUCT_NAME,
      version: '1',
      description: `Errors are {"error": {"code", "message", "field"?}}: ${codes}. Lists page by an opaque cursor.`,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    paths: Object.fromEntries(paths),
    components: {
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: cookie },
        key: { type: 'http', scheme: 'bearer', description: 'An API key of a Pro account.' },
      },
      headers: HEADERS,
      schemas: components.used(),
    },
  };
}
