// expect: atelier(import-direction), Another feature's table
import { thing } from '../../memory/memory.table.ts';

export const used = thing;
