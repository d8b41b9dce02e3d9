// expect: atelier(import-direction), Features form no circle
import { thing } from '../runs/runs.service.ts';

export const used = thing;
