// expect: atelier(import-direction), may import the *.table only
import { thing } from '../runs/runs.queries.ts';

export const used = thing;
