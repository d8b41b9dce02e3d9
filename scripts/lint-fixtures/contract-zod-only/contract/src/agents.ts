// expect: eslint(no-restricted-imports), The contract imports zod only
import { thing } from 'hono';

export const used = thing;
