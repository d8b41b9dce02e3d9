// expect: import(no-cycle)
import type { Task } from './runs.ts';

export interface Session {
  tasks: Task[];
}
