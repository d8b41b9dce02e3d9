import { ERROR_STATUS, type ErrorCode } from '@atelier/contract/errors';
import { PRODUCT_NAME } from '@atelier/contract/product';
import type { Env, Hono, MiddlewareHandler } from 'hono';
import { describeRoute, generateSpecs } from 'hono-openapi';
import { type Components, namedSchemas, requestSchema } from './api-schemas.ts';
import type { Operation } from './operation.ts';

/** How the description begins of what only Pro accounts may call. */
export const FOR_PRO = 'For Pro accounts.';

type Access = 'public' | 'user' | 'pro';

/** Adds to the API description who may call a route, taken from the middleware that decides it. */
export function describeAccess<M extends MiddlewareHandler>(middleware: M, rule: Access, keys: string): M {
  // 403 also refuses API keys.
  const statuses = rule === 'public' ? [] : [401, 403, 429];
  const description = describeRoute({
    responses: Object.fromEntries(statuses.map((status) => [status, { description: '' }])),
    security: [...(rule === 'public' ? [] : [{ session: [] }]), ...(keys === 'none' ? [] : [{ key: [] }])],
    ...(rule === 'pro' ? { description: FOR_PRO } : {}),
  });
  // The library stores descriptions on the middleware under a symbol.
  return Object.assign(middleware, description);
}

/** What a route's middleware says of it: who may call it, and what it checks. */
interface Found {
  security?: ({ session: [] } | { key: [] })[];
  description?: string;
  responses: Record<string, unknown>;
  parameters?: { in: string; name: string }[];
  requestBody?: object;
}

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

/** Statuses of refusals that a route can answer, from its kind and from what is said of it. */
function refusalsOf(method: string, path: string, found: Found, known: Operation): number[] {
  const changes = method !== 'get';
  const codes: ErrorCode[] = ['invalid_input', 'internal', 'unavailable', ...(known.fails ?? [])];
  if (changes) codes.push('forbidden', 'too_large');
  if (path.includes('{')) codes.push('not_found');
  if (known.failure !== undefined) codes.push('too_many_requests');
  const byAccess = Object.keys(found.responses)
    .map(Number)
    .filter((status) => status in REFUSALS);
  const statuses = [
    ...byAccess,
    ...codes.map((code) => ERROR_STATUS[code]),
    ...(known.failure && changes ? [422] : []),
  ];
  return [...new Set(statuses)].sort((a, b) => a - b);
}

/** All that a route may answer. */
function responsesOf(method: string, path: string, found: Found, known: Operation, components: Components) {
  const isApi = path.startsWith('/api/');
  const always = isApi ? { 'Cache-Control': header('NoStore') } : {};
  const headers = {
    ...always,
    ...(known.download ? { 'Content-Disposition': header('FileName') } : {}),
    ...(known.setsCookie ? { 'Set-Cookie': header('SignInCookie') } : {}),
  };
  const schema = known.answer === undefined ? { type: 'string' } : components.refTo(known.answer);
  const stream = known.mayStream ? { 'text/event-stream': { schema: { type: 'string' } } } : {};
  const content = known.type === undefined ? {} : { content: { [known.type]: { schema }, ...stream } };
  const answers = new Map<number, object>([[known.status, { description: known.summary, headers, ...content }]]);
  if (known.mayBeEmpty) answers.set(known.mayBeEmpty, { description: 'Nothing more comes.', headers: always });
  const failure = {
    'application/json': { schema: known.failure ? requestSchema(known.failure) : components.error },
    ...(known.failsAsPage ? { 'text/html': { schema: { type: 'string' } } } : {}),
  };
  for (const status of refusalsOf(method, path, found, known)) {
    const waits = status === 429 || status === 503;
    answers.set(status, {
      description: REFUSALS[status] ?? '',
      headers: { ...always, ...(waits ? { 'Retry-After': header('RetryAfter') } : {}) },
      content: failure,
    });
  }
  return Object.fromEntries(answers);
}

function describeOperation(method: string, path: string, found: Found, known: Operation, components: Components) {
  const named = Object.entries(known.headers ?? {}).map(([name, description]) => ({
    in: 'header',
    name,
    description,
    ...text,
  }));
  const body = known.body && {
    required: true,
    content: { [known.body.type]: { schema: requestSchema(known.body.schema) } },
  };
  const words = [found.description, known.description].filter((part) => part !== undefined).join(' ');
  return {
    operationId: known.id,
    summary: known.summary,
    ...(words === '' ? {} : { description: words }),
    security: found.security ?? [],
    parameters: [...(found.parameters ?? []), ...named],
    ...(body === undefined
      ? found.requestBody === undefined
        ? {}
        : { requestBody: found.requestBody }
      : { requestBody: body }),
    responses: responsesOf(method, path, found, known, components),
  };
}

export interface ApiParts {
  /** By method and path, such as `GET /api/agents/{agentId}`. */
  operations: ReadonlyMap<string, Operation>;
  /** Modules of schemas; each schema is called as its export. */
  shapes: readonly object[];
  /** The name of the cookie that signs in. */
  cookie: string;
}

const codes = Object.entries(ERROR_STATUS)
  .map(([code, status]) => `\`${code}\` ${status}`)
  .join(', ');

/**
 * The OpenAPI 3.1 description of every route. Who may call it and what it takes come from its middleware, what it answers from the
 * contract's schemas. A route that `operations` doesn't name is left out.
 */
export async function describeApi<E extends Env>(app: Hono<E>, { operations, shapes, cookie }: ApiParts) {
  const found = await generateSpecs(app, {
    includeEmptyPaths: true,
    exclude: [/\*/u, '/api/openapi.json', '/api/docs'],
  });
  const components = namedSchemas(shapes);
  const paths = Object.entries<object>(found.paths).map(([path, methods]) => {
    const described = Object.entries<Found>({ ...methods }).flatMap(([method, operation]) => {
      const known = operations.get(`${method.toUpperCase()} ${path}`);
      return known === undefined ? [] : [[method, describeOperation(method, path, operation, known, components)]];
    });
    return [path, Object.fromEntries(described)];
  });
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
