// expect: atelier(import-direction), call the *.service only
import { thing } from '../runs/runs.routes.ts';

export const used = thing;
