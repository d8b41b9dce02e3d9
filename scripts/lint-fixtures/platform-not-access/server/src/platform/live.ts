// expect: atelier(import-direction), platform imports no features
import { thing } from '../access.ts';

export const used = thing;
