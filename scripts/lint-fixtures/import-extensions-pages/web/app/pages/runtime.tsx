// expect: atelier(import-direction), end in .ts
import { thing } from '../ui/button';

export const used = thing;
