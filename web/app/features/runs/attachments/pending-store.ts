import { typed } from '../../../lib/typed/typed.ts';
import { createPending } from './pending.ts';

/** What waits in the composers of this tab. */
export const pending = createPending(typed.own);
typed.subscribe(pending.reread);
