// expect: eslint(no-restricted-imports), ui knows no data
import { thing } from '../lib/http.ts';

export const used = thing;
