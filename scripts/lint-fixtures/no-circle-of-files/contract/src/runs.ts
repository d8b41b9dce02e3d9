// expect: import(no-cycle)
import type { Agent } from './agents.ts';

export interface Task {
  agent: Agent;
}
