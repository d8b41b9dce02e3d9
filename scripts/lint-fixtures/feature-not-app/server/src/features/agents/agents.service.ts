// expect: eslint(no-restricted-imports), nothing imports upwards
import { thing } from '../../app.ts';

export const used = thing;
