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
