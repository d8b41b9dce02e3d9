import { tabStorage } from '../composer/kept.ts';
import { createPending } from './pending.ts';

/** What waits in the composers of this tab. */
export const pending = createPending(tabStorage());
