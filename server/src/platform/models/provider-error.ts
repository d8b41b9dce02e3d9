/** The provider's own error message in one line, without secrets. */
export class ProviderError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'ProviderError';
  }
}

export const NONSENSE = 'The provider’s answer could not be understood.';
