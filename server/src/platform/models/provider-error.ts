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
  constructor(message: string, options: { cause?: unknown; isMissing?: boolean; answer?: ProviderAnswer } = {}) {
    super(message, options);
    this.name = 'ProviderError';
    this.isMissing = options.isMissing ?? false;
    Object.assign(this, options.answer);
  }
}

export const NONSENSE = 'The provider’s answer could not be understood.';
