// expect: eslint(no-restricted-imports), nothing imports upwards
import { thing } from './library.tsx';

export const used = thing;
