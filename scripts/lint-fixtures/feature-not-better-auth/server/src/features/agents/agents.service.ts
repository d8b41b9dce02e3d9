// expect: eslint(no-restricted-imports), Only accounts and platform
import { thing } from 'better-auth';

export const used = thing;
