/** The provider's own error message in one line, without secrets. */
export class ProviderError extends Error {
  /** The provider does not know the model. */
  readonly isMissing: boolean;
  constructor(message: string, options?: { cause?: unknown; isMissing?: boolean }) {
    super(message, options);
    this.name = 'ProviderError';
    this.isMissing = options?.isMissing ?? false;
  }
}

export const NONSENSE = 'The provider’s answer could not be understood.';
