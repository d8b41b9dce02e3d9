import type { z } from 'zod';
import type { ErrorCode } from './errors.ts';

/** `public` anyone, `user` signed in, `pro` signed in with Pro, `operator` who runs the installation; for everybody else it isn't there (404). */
export type AccessRule = 'public' | 'user' | 'pro' | 'operator';

/** What API keys may do. */
export const KEY_SCOPES = ['read', 'talk'] as const;

/** Which API keys a call takes beside a cookie: none, any, or those with the scope. */
export type KeyRule = 'none' | 'any' | (typeof KEY_SCOPES)[number];

/** The bounds on how fast one account may act; the figures stand in the server's `access.ts`. */
export type RateKind =
  | 'reads'
  | 'writes'
  | 'agents'
  | 'favorites'
  | 'messages'
  | 'searches'
  | 'keys'
  | 'uploads'
  | 'shared'
  | 'imports'
  | 'toolServers'
  | 'serverContents';

/** The bounds on how many calls of a kind may be under way at once. */
export type PlaceKind = 'streams' | 'exports' | 'downloads' | 'uploads' | 'imports' | 'toolServers' | 'serverContents';

/** A body or an answer of another media type than JSON. Its handler reads or writes it. */
export interface Raw {
  type: string;
  /** It comes as a file to save. */
  download?: true;
  /** What is in it, where that is JSON. */
  content?: z.ZodType;
}

/** Server-sent events. */
export const events = { type: 'text/event-stream' } satisfies Raw;
/** A file to save, of a type of its own. */
export const download = { type: '*/*', download: true } satisfies Raw;
/** One file in the field `file`. */
export const upload = { type: 'multipart/form-data' } satisfies Raw;

/** The request header that makes a call happen once. */
export const ONCE = {
  'Idempotency-Key': 'A text of your own: sent again within a day, the same request is answered, not repeated.',
};

/** What a call takes and answers, whom it lets in, and what it may refuse. */
export interface CallOptions {
  /** `user` unless it says otherwise. */
  who?: AccessRule;
  /** `reads` for GET and `writes` otherwise, unless it says otherwise. */
  rate?: RateKind;
  /** No keys, unless it says otherwise. */
  keys?: KeyRule;
  /** It holds one of these places for as long as it is answered. */
  place?: PlaceKind;
  query?: z.ZodObject;
  body?: z.ZodType | Raw;
  /** JSON by a schema; 204 and nothing without it. */
  answer?: z.ZodType | Raw;
  /** 200, or 204 without an answer, unless it says otherwise. */
  status?: number;
  /** Failures beyond those that every call of its kind has. */
  fails?: readonly ErrorCode[];
  /** A refusal may be a page for people. */
  failsAsPage?: true;
  /** Failures have another body than `errorBody`. Its handler may answer one itself. */
  failure?: z.ZodType;
  /** It sets or clears the cookie of the sign-in. */
  setsCookie?: true;
  /** It may answer this instead, without a body. */
  mayBeEmpty?: 202 | 204;
  /** It may come as server-sent events instead, when the request says so. */
  mayStream?: true;
  /** Headers of the request that mean something, each with a sentence. */
  headers?: Record<string, string>;
  description?: string;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One call of the HTTP interface, said once: routes, the API description and the web's client come from it. */
export class Call<Path extends string = string, Options extends CallOptions = CallOptions> {
  readonly method: Method;
  readonly path: Path;
  /** The name of the call in a generated client. */
  readonly id: string;
  readonly summary: string;
  readonly status: number;
  readonly options: Options;

  constructor(method: Method, path: Path, id: string, summary: string, options: Options) {
    this.method = method;
    this.path = path;
    this.id = id;
    this.summary = summary;
    this.status = options.status ?? (options.answer === undefined ? 204 : 200);
    this.options = options;
  }
}

// The web's build drops the id, the summary and every option but `answer` and `who: 'public'`: see `web/without-server-parts.ts`.
const by =
  (method: Method, usual?: { status: number }) =>
  <const Path extends string, const Options extends CallOptions = Record<never, never>>(
    path: Path,
    id: string,
    summary: string,
    options?: Options,
  ) =>
    new Call(method, path, id, summary, { ...usual, ...options } as Options);

export const get = by('GET');
export const post = by('POST');
/** A POST that answers 201. */
export const create = by('POST', { status: 201 });
export const put = by('PUT');
export const patch = by('PATCH');
export const remove = by('DELETE');

/** Calls by their names; `Object.keys` gives the order in which routes match. */
export type Calls = Record<string, Call>;

interface Group<Base extends string, Shared extends CallOptions> {
  base: Base;
  shared: Shared;
}
type Under<Base extends string, Shared extends CallOptions, One> =
  One extends Call<infer Path, infer Options> ? Call<`${Base}${Path}`, OptionsIn<Shared, Options>> : never;
// A call without options of its own is inferred to have any.
type OptionsIn<Shared extends CallOptions, Own extends CallOptions> = CallOptions extends Own
  ? Shared
  : Omit<Shared, keyof Own> & Own;

/** Where the calls of a group begin, and the options of each that doesn't say otherwise. */
export const under = <const Base extends string, const Shared extends CallOptions>(
  base: Base,
  shared: Shared,
): Group<Base, Shared> => ({ base, shared });

/** The calls of a feature, whose paths begin with `from`. */
/* @__NO_SIDE_EFFECTS__ */
export function calls<
  const Base extends string,
  Own extends Calls,
  const Shared extends CallOptions = Record<never, never>,
>(from: Base | Group<Base, Shared>, own: Own) {
  const { base, shared } = typeof from === 'string' ? { base: from, shared: {} } : from;
  const all = Object.entries(own).map(([name, { method, path, id, summary, options }]) => [
    name,
    new Call(method, `${base}${path}`, id, summary, { ...shared, ...options }),
  ]);
  return Object.fromEntries(all) as { [Name in keyof Own]: Under<Base, Shared, Own[Name]> };
}

/** The parameters in a path, such as `promptId` in `/api/prompts/:promptId`. */
export type ParamsOf<One> = One extends Call<infer Path> ? Record<NamesIn<Path>, string> : never;
type NamesIn<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer More}`
    ? Name | NamesIn<More>
    : Rest
  : never;

/** The schema that a call has for one part of it; never where that part is missing or isn't JSON. */
export type SchemaOf<One, Part extends 'query' | 'body' | 'answer'> =
  One extends Call<string, infer Options>
    ? Options extends Record<Part, infer Schema extends z.ZodType>
      ? Schema
      : never
    : never;
