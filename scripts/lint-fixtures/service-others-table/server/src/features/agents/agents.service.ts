// expect: atelier(import-direction), Another feature's table
import { thing } from '../runs/runs.table.ts';

export const used = thing;
