import type { Me } from '@atelier/contract/accounts';
import { SENTENCES } from '@atelier/contract/errors';

/** The notice about the built-in offline model; operators also read how to connect a real one. */
export const offlineNotice = ({ operator }: Pick<Me, 'operator'>) =>
  operator ? `${SENTENCES.offlineModel} ${SENTENCES.offlineModelAdvice}` : SENTENCES.offlineModel;
