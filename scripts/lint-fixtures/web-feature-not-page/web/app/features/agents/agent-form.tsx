// expect: eslint(no-restricted-imports), nothing imports upwards
import { thing } from '../../pages/runtime.tsx';

export const used = thing;
