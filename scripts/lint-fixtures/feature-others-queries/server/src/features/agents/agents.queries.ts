// expect: eslint(no-restricted-imports), may import the *.table only
import { thing } from '../runs/runs.queries.ts';

export const used = thing;
