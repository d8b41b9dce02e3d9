// expect: import(no-cycle)
import type { Session } from './sessions.ts';

export interface Agent {
  sessions: Session[];
}
