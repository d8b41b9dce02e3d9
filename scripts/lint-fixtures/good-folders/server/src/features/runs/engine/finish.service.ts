// expect: nothing
import { eq } from 'drizzle-orm';
import { AppError } from '../../../platform/errors.ts';
import { storeMemories } from '../../memory/index/store.service.ts';
import type { MemoryRow } from '../../memory/memory.table.ts';
import { tasks } from '../runs.table.ts';

export const used = { eq, AppError, storeMemories, tasks };
export type Used = MemoryRow;
