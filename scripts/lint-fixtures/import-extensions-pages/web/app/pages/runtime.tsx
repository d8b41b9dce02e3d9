// expect: eslint(no-restricted-imports), end in .ts
import { thing } from '../ui/button';

export const used = thing;
