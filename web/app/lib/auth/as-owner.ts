import { createShared } from '../../ui/shared-value.ts';
import { ApiError } from '../http.ts';

/** Whoever is signed in is asked to prove that they are the owner. */
interface OwnerQuestion {
  /** Fulfilled once they have; rejected when they don't want to. */
  answered: Promise<void>;
  proved: () => void;
  cancel: () => void;
}

/** What `ConfirmOwner` asks now; null when nothing is asked. */
export const ownerQuestion = createShared<OwnerQuestion | null>(null);

/**
 * Does what the server lets only the account's owner do. Where it wants a proof, the person is asked for one by `ConfirmOwner`, which has to be on
 * the page, and it is done again. Throws what `act` does; the server's refusal when the person cancels.
 */
export async function asOwner<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'confirmation_needed') throw error;
    await (ownerQuestion.read() ?? ask(error)).answered;
    return asOwner(act);
  }
}

function ask(refusal: ApiError): OwnerQuestion {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const end = (settle: () => void) => () => {
    if (ownerQuestion.read() === question) ownerQuestion.set(null);
    settle();
  };
  const question: OwnerQuestion = { answered: promise, proved: end(resolve), cancel: end(() => reject(refusal)) };
  ownerQuestion.set(question);
  return question;
}
