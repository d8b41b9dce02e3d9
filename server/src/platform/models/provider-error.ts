import { parsedJson } from '../parsed-json.ts';

/** What the operator's log may say of a failure: who failed, and the status, code and type that it answered. */
export interface ProviderAnswer {
  provider?: string | undefined;
  model?: string | undefined;
  status?: number | undefined;
  code?: string | undefined;
  type?: string | undefined;
}

/** The provider's own error message in one line, without secrets: for whom it concerns, as providers repeat prompts. */
export class ProviderError extends Error {
  /** The provider does not know the model. */
  readonly isMissing: boolean;
  /** The prompt is longer than the model reads. */
  readonly isTooLong: boolean;
  readonly provider: string | undefined = undefined;
  /** The status that the provider answered. */
  readonly status: number | undefined = undefined;
  constructor(
    message: string,
    options: { cause?: unknown; isMissing?: boolean; isTooLong?: boolean; answer?: ProviderAnswer } = {},
  ) {
    super(message, options);
    this.name = 'ProviderError';
    this.isMissing = options.isMissing ?? false;
    this.isTooLong = options.isTooLong ?? false;
    Object.assign(this, options.answer);
  }
}

export const WEB_PAGE = 'The provider answered with a web page instead of an answer. Check its address.';
export const NONSENSE = 'The provider’s answer could not be understood.';

/** Finish reasons that mean a failure. */
const BROKEN =
  /^(?:error|abort(?:ed)?|cancel(?:l?ed)?|fail(?:ed|ure)?|time_?out|network_error|server_error|internal_error|overloaded|insufficient_system_resource|malformed_function_call)$/iu;

/** Why a finish reason means that the answer broke off; undefined where it doesn't. */
export const brokenOff = (reason: string): string | undefined =>
  BROKEN.test(reason) ? `The provider broke off the answer (${reason}).` : undefined;

const DEPTH = 6;
/** Where providers put the sentence: OpenAI and most others; FastAPI; Mistral; Cloudflare; Gemini in a list. */
const KEYS = ['error', 'message', 'detail', 'errors', 'msg', 'error_description', 'reason'] as const;
/** Sentences of a gateway that say nothing; it passes the real one along. */
const EMPTY = new Set(['provider returned error', 'upstream error', 'error']);

/** The sentence in a provider's error, whatever its shape: a text, an object, a list, or JSON within a text. Undefined for none. */
export function errorTextOf(value: unknown, depth = 0): string | undefined {
  if (depth > DEPTH || value === null || value === undefined) return undefined;
  if (typeof value === 'string') return fromText(value, depth);
  if (Array.isArray(value)) return firstText(value, depth);
  if (typeof value !== 'object') return undefined;
  const fields = new Map(Object.entries(value));
  const text = firstText(
    KEYS.map((key) => fields.get(key)),
    depth,
  );
  if (text !== undefined && !EMPTY.has(text.toLowerCase())) return text;
  // OpenRouter passes on what the provider behind it said.
  const metadata = fields.get('metadata');
  const raw = typeof metadata === 'object' && metadata !== null && 'raw' in metadata ? metadata.raw : undefined;
  return errorTextOf(raw, depth + 1) ?? text;
}

function firstText(values: readonly unknown[], depth: number): string | undefined {
  for (const value of values) {
    const text = errorTextOf(value, depth + 1);
    if (text !== undefined) return text;
  }
  return undefined;
}

function fromText(source: string, depth: number): string | undefined {
  const text = source.trim();
  if (text === '' || text.startsWith('<')) return undefined;
  if (!text.startsWith('{') && !text.startsWith('[')) return text;
  return errorTextOf(parsedJson(text), depth + 1) ?? text;
}
