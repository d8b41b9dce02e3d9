// expect: atelier(import-direction), end in .ts
import { thing } from './agents.service';

export const used = thing;
