// expect: eslint(no-restricted-imports), end in .ts
import { thing } from './agents.service';

export const used = thing;
