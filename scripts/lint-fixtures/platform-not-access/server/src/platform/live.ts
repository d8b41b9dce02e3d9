// expect: eslint(no-restricted-imports), platform imports no features
import { thing } from '../access.ts';

export const used = thing;
