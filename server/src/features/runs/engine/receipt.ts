import type { Recalled } from '../../memory/memory.service.ts';
import type { LoggedEvent } from '../runs.events.ts';

/** What was given to the run, for the log: it is stored before any word of the answer. */
export function receiptOf(memories: readonly Recalled[], partial: boolean): LoggedEvent {
  const items = memories.map(
    ({ sessionName: _name, quotesOthers: _quotes, exchange: _exchange, words: _words, ...item }) => item,
  );
  return { type: 'memory', items, ...(partial ? { partial } : {}) };
}
