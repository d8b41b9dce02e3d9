// expect: eslint(no-restricted-imports), nothing imports upwards
import { thing } from './main.ts';

export const used = thing;
