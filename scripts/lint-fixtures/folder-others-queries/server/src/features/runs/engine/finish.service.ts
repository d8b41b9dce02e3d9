// expect: atelier(import-direction), call the *.service only
import { thing } from '../../memory/memory.queries.ts';

export const used = thing;
