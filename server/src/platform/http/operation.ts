import { Call, type CallOptions, type Raw } from '@atelier/contract/calls';
import type { ErrorCode } from '@atelier/contract/errors';
import { z } from 'zod';

/** What the API description says of a route beyond its access rule and the input that it checks. */
export interface Operation {
  /** The name of the call in a generated client. */
  id: string;
  summary: string;
  status: number;
  /** The schema of the answer, for JSON; of the text otherwise, and only in words. */
  answer?: z.ZodType;
  /** The answer's media type; none for an answer without a body. */
  type?: string;
  /** It may answer this instead, without a body. */
  mayBeEmpty?: 202 | 204;
  /** It may come as server-sent events instead, when the request says so. */
  mayStream?: true;
  /** It comes as a file to save. */
  download?: true;
  /** It sets or clears the cookie of the sign-in. */
  setsCookie?: true;
  /** Failures beyond those that every route of its kind has. */
  fails?: readonly ErrorCode[];
  /** Failures have another body than `ErrorBody`. */
  failure?: z.ZodType;
  /** A refusal may be a page for people. */
  failsAsPage?: true;
  /** The request's body, where no validator of the route says it. */
  body?: { type: string; schema: z.ZodType };
  /** Headers of the request that mean something, each with a sentence. */
  headers?: Record<string, string>;
  description?: string;
}

/** The body of an upload. */
const upload = { type: 'multipart/form-data', schema: z.object({ file: z.file() }) };

const isRaw = (part: z.ZodType | Raw | undefined): part is Raw => part !== undefined && !(part instanceof z.ZodType);

function bodyOf(body: CallOptions['body']): Operation['body'] {
  if (body === undefined) return undefined;
  if (!isRaw(body)) return { type: 'application/json', schema: body };
  return body.type === upload.type ? upload : { type: body.type, schema: body.content ?? z.file() };
}

function operationOf({ id, summary, status, options }: Call): Operation {
  const { who: _who, rate: _rate, keys: _keys, place: _place, query: _query, body, answer, ...more } = options;
  const sent = isRaw(answer) ? { ...answer, answer: answer.content } : answer && { type: 'application/json', answer };
  return { ...more, ...sent, id, summary, status, body: bodyOf(body) };
}

/** What the description says of the calls that these modules export. */
export const operationsOf = (modules: readonly object[]): [call: string, Operation][] =>
  modules
    .flatMap((module) => Object.values(module))
    .flatMap((exported: unknown) => (typeof exported === 'object' && exported !== null ? Object.values(exported) : []))
    .filter((one) => one instanceof Call)
    .map((call) => [`${call.method} ${call.path.replaceAll(/:(\w+)/gu, '{$1}')}`, operationOf(call)]);
