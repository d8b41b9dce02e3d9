import { type Call, type Calls, type ParamsOf, type SchemaOf, upload } from '@atelier/contract/calls';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { z } from 'zod';
import { type AppEnv, type Caller, holdsPlace, requires } from './access.ts';
import { discardBody } from './platform/http/upload.ts';
import { validate } from './platform/http/validate.ts';

/** What a handler is given: the valid request, and the context for all that is rare. */
interface RequestOf<One extends Call> {
  c: Context<AppEnv>;
  caller: One['options'] extends { who: 'public' } ? undefined : Caller;
  params: ParamsOf<One>;
  query: z.output<SchemaOf<One, 'query'>>;
  body: z.output<SchemaOf<One, 'body'>>;
}

/** What a handler gives back: what the answer's schema says, a whole response where that is not JSON or may be a refusal of its own, or nothing. */
type Answer<One extends Call> =
  | (One['options'] extends { answer: infer Shape } ? (Shape extends z.ZodType ? z.input<Shape> : Response) : void)
  | (One['options'] extends { mayStream: true } | { mayBeEmpty: number } | { failure: z.ZodType } ? Response : never);

export type Handlers<Some extends Calls> = {
  [Name in keyof Some]: (request: RequestOf<Some[Name]>) => Answer<Some[Name]> | Promise<Answer<Some[Name]>>;
};

/** A sender who was refused early reads the answer and keeps its connection. */
const keepConnection: MiddlewareHandler = async (c, next) => {
  await next();
  await discardBody(c.req.raw);
};

/** Routes for all calls of a feature. `before`: middlewares of single calls, after the access rule; `takesBody` checks JSON bodies. */
export function serve<Some extends Calls>(
  all: Some,
  handlers: Handlers<Some>,
  before: { [Name in keyof Some]?: MiddlewareHandler<AppEnv>[] } = {},
  takesBody: (schema: z.ZodType) => MiddlewareHandler = (schema) => validate('json', schema),
): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();
  for (const [name, { method, path, options, status }] of Object.entries<Call>(all)) {
    const { who = 'user', rate, keys, place, query, body } = options;
    const first: MiddlewareHandler[] = [
      ...(body === upload ? [keepConnection] : []),
      requires(who, rate, keys),
      ...(before[name] ?? []),
      ...(place === undefined ? [] : [holdsPlace(place)]),
      ...(query === undefined ? [] : [validate('query', query)]),
      ...(body instanceof z.ZodType ? [takesBody(body)] : []),
    ];
    const handle = handlers[name] as unknown as (request: object) => unknown;
    routes.on(method, [path], ...first, async (c) => {
      const valid = (part: 'query' | 'json') => c.req.valid(part as never);
      const answer = await handle({
        c,
        caller: c.get('caller'),
        params: c.req.param(),
        query: valid('query'),
        body: valid('json'),
      });
      if (answer instanceof Response) return answer;
      return answer === undefined ? c.body(null, 204) : c.json(answer, status as ContentfulStatusCode);
    });
  }
  return routes;
}
