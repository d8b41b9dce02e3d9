import { loginRefusal } from '../auth-errors.ts';
import { gaveUp } from './ways-in.api.ts';

/** The error of a form that may use a passkey, in a sentence. */
export const passkeyRefusal = (error: unknown): string =>
  gaveUp(error) ? 'The request was cancelled or took too long. Please try again.' : loginRefusal(error);
